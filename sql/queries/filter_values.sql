-- filter_values: what the filters of commands can be set to, each with the other ways in which people spell it.
-- Grain:  kind of filter, value.
-- Reads:  environments, implementations, runs, problems, workloads, sources.
-- Rule:   spellings: of a host its title; of a mode its title, its names in the index, and the last word of its
--         name (eager for the baseline); of a level its number; of a source its owner. Of a GPU the value is its name
--         as reported or told; first what names_gpu looks at, then also what is known of its build.
select
    'host' as kind,
    host as value,
    [any_value(host_title)] as spellings
from environments
group by host
union all
select
    'gpu' as kind,
    coalesce(known_as, hardware) as value,
    [
        concat_ws(' ', any_value(product), min(hardware)),
        concat_ws(' ', any_value(product), min(hardware), any_value(form_factor), any_value(memory_gb) || ' GB')
    ] as spellings
from environments
where hardware is not null or known_as is not null
group by coalesce(known_as, hardware)
union all
select
    'mode' as kind,
    mode as value,
    [
        title,
        regexp_replace(title, '^PyTorch ', ''),
        external_mode,
        interface,
        regexp_extract(regexp_replace(mode, '_default$', ''), '[^_]+$')
    ] as spellings
from implementations
where mode in (select mode from runs)
union all
select
    'level' as kind,
    level as value,
    [regexp_replace(level, '^level', '')] as spellings
from (
    select level from runs
    union distinct
    select level from problems
) as levels
union all
select
    'family' as kind,
    family as value,
    [] as spellings
from workloads
where family is not null
group by family
union all
select
    'source' as kind,
    source as value,
    [regexp_extract(source, '^[^/]+')] as spellings
from sources
order by kind asc, value asc
