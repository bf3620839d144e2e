-- source_names: the lineages that the warehouse holds.
-- Grain:  source.
-- Reads:  sources.
select source
from sources
order by source asc
