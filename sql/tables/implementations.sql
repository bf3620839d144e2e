-- implementations: ways of running a reference module.
-- Grain:  mode.
-- Reads:  batch_implementations, runs.
-- Rule:   the registry's, and every other mode that a run has, under its own name; external names by the public
--         index's pattern (underscores as hyphens and the reverse, a final default dropped).
create table if not exists implementations as
select *
from batch_implementations
where false;

delete from implementations;

insert into implementations by name
select *
from batch_implementations
union all by name
select
    mode,
    false as known,
    mode as title,
    regexp_replace(replace(mode, '-', '_'), '_default$', '') as interface,
    regexp_replace(replace(mode, '_', '-'), '-default$', '') as external_mode,
    false as is_baseline,
    'unknown' as licence,
    'unknown: the mode is in no registry' as availability,
    'no package' as package,
    'reported' as trust,
    'Reported by source; not independently reproduced.' as trust_meaning
from (select distinct mode from runs) as measured
anti join batch_implementations using (mode)
order by mode;
