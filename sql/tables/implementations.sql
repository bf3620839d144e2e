-- implementations: ways of running a reference module.
-- Grain:  mode.
-- Reads:  batch_implementations, runs.
-- Rule:   the registry's, and every other mode that a run has, under its own name; external names by the public
--         index's pattern (underscores as hyphens and the reverse, a final default dropped).
create or replace table implementations as
select *
from batch_implementations
union all by name
select
    mode,
    false as known,
    mode as title,
    regexp_replace(replace(mode, '-', '_'), '_default$', '') as interface,
    regexp_replace(replace(mode, '_', '-'), '-default$', '') as external_mode,
    false as is_baseline
from (select distinct mode from runs) as measured
anti join batch_implementations using (mode)
order by mode;
