-- interop: the rows of interop in the order in which a snapshot holds them.
-- Grain:  as interop.
-- Reads:  interop.
select *
from interop
order by source, external_id, run_id
