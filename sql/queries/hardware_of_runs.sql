-- hardware_of_runs: on which GPU, as it was reported, each of some runs was measured.
-- Grain:  run.
-- Reads:  runs.
select
    run_id,
    hardware
from runs
where list_contains($run_ids, run_id)
