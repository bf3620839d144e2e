-- sources: the rows of sources in the order in which a snapshot holds them.
-- Grain:  as sources.
-- Reads:  sources.
select *
from sources
order by source
