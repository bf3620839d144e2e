-- implementations: the rows of implementations in the order in which a snapshot holds them.
-- Grain:  as implementations.
-- Reads:  implementations.
select *
from implementations
order by mode
