-- implementations: ways of running a reference module.
-- Grain:  mode.
-- Reads:  batch_implementations, runs.
-- Rule:   the registry's, and every other mode that a run has. One that is a known mode in another precision
--         (torch_bf16) has the facts of that mode; any other only its own name. External names by the public index's
--         pattern (underscores as hyphens and the reverse, a final default dropped).
delete from implementations;

insert into implementations by name
select *
from batch_implementations
union all by name
select
    measured.mode,
    false as known,
    coalesce(stem.title || ' (' || measured.precision || ')', measured.mode) as title,
    stem.framework,
    stem.language,
    regexp_replace(replace(measured.mode, '-', '_'), '_default$', '') as interface,
    regexp_replace(replace(measured.mode, '_', '-'), '-default$', '') as external_mode,
    coalesce(stem.is_baseline, false) as is_baseline,
    stem.what,
    coalesce(stem.licence, 'unknown') as licence,
    coalesce(stem.availability, 'unknown: the mode is in no registry') as availability,
    'no package' as package,
    'reported' as trust,
    'Reported by source; not independently reproduced.' as trust_meaning
from (
    select
        mode,
        max(precision) as precision
    from runs
    group by mode
) as measured
anti join batch_implementations using (mode)
left join batch_implementations as stem
    on
        measured.precision is not null
        and regexp_extract(measured.mode, '^(.*)_[^_]+$', 1) = stem.mode
order by mode;
