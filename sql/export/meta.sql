-- meta: the rows of meta in the order in which a snapshot holds them.
-- Grain:  as meta.
-- Reads:  meta.
select *
from meta
order by key
