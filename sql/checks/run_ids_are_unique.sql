-- run_ids_are_unique: no two runs share an identity.
-- Grain:  run id that stands twice.
-- Reads:  runs.
select
    run_id,
    count(*) as times
from runs
group by run_id
having count(*) > 1
