-- own_gpus: the GPUs of each lineage's own figures.
-- Grain:  source with a figure of its own whose GPU was reported or told.
-- Reads:  runs, environments.
-- Rule:   own: runs that are no copies of another source's. GPUs that are known, by what they are known as, and others
--         by what was reported.
select
    runs.source,
    list_sort(list(distinct coalesce(environments.known_as, environments.hardware))) as gpus
from runs
inner join environments on runs.environment_id = environments.environment_id
where runs.copy_of is null and coalesce(environments.known_as, environments.hardware) is not null
group by runs.source
