-- environments: one GPU model behind one host folder of one source.
-- Grain:  environment.
-- Reads:  batch_environments, runs, gpus, host_gpus, repository_of, short_gpu.
-- Rule:   kept as long as a run was measured there. What a GPU is: as it was reported, where the registry knows that;
--         else as it is told for the host, by the settings before the registry, which a publish may change at any time;
--         runs.gpu follows.
delete from environments
where environment_id in (select environment_id from batch_environments);

insert into environments by name select * from batch_environments;

delete from environments
where environment_id not in (select environment_id from runs);

create or replace temp table told_environments as
select
    environments.environment_id,
    known.hardware as known_as,
    case when reported.hardware is null and known.hardware is not null then told.basis end as told_by,
    known.vendor,
    known.product,
    known.form_factor,
    known.architecture,
    known.memory_gb
from environments
left join gpus as reported on environments.hardware = reported.hardware
left join host_gpus as told
    on
        environments.host = told.host
        and coalesce(told.source = repository_of(environments.source), true)
left join gpus as known on coalesce(reported.hardware, told.hardware) = known.hardware
qualify row_number() over (partition by environments.environment_id order by told.source nulls first) = 1;

update environments
set
    known_as = told.known_as,
    told_by = told.told_by,
    known = told.known_as is not null,
    vendor = told.vendor,
    product = told.product,
    form_factor = told.form_factor,
    architecture = told.architecture,
    memory_gb = told.memory_gb
from told_environments as told
where
    environments.environment_id = told.environment_id
    and (
        (environments.known_as is distinct from told.known_as)
        or (environments.told_by is distinct from told.told_by)
    );

update runs
set gpu = short_gpu(environments.product, environments.hardware)
from environments
where
    runs.environment_id = environments.environment_id
    and (runs.gpu is distinct from short_gpu(environments.product, environments.hardware));
