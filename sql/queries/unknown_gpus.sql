-- unknown_gpus: the GPUs of one source that the registry does not know, and nobody told.
-- Grain:  reported hardware; null: none was reported.
-- Reads:  environments, runs.
select
    environments.hardware,
    list_sort(list(distinct environments.host)) as hosts,
    count(*) as runs
from environments
inner join runs on environments.environment_id = runs.environment_id
where
    environments.source = $source
    and environments.known_as is null
    and runs.reachable
    and runs.copy_of is null
group by environments.hardware
order by runs desc, environments.hardware asc
