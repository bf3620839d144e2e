-- gpus_of_runs: on which GPU, as it was reported and as the registry knows it, each of some runs was measured.
-- Grain:  run.
-- Reads:  runs, environments.
select
    runs.run_id,
    environments.hardware,
    environments.vendor,
    environments.product,
    environments.form_factor,
    environments.architecture,
    environments.memory_gb
from runs
inner join environments on runs.environment_id = environments.environment_id
where runs.run_id in (select unnest($run_ids))
