-- copies: which runs repeat figures that appeared earlier in another source.
-- Grain:  sets copy_of, eligible and ineligible_reasons of runs.
-- Reads:  runs, touched, meta.
-- Ties:   a run that began at the same moment in several sources (a fork shares its commits with upstream) belongs to
--         the upstream project, else to the source that comes first by name.
-- Rule:   a run that is not reachable any more is neither original nor copy: nothing shows it that could be looked at.
create or replace temp table decided_copies as
with
originals as (
    select
        copy_key,
        arg_min(run_id, (observed_at, source is distinct from upstream.value, source)) as original,
        count(*) as sources
    from runs
    left join meta as upstream on upstream.key = 'upstream'
    where reachable and copy_key in (select copy_key from touched_copies)
    group by copy_key
)

select
    runs.run_id,
    runs.cohort_id,
    nullif(originals.original, runs.run_id) as copy_of
from runs
inner join originals using (copy_key)
where runs.reachable and nullif(originals.original, runs.run_id) is distinct from runs.copy_of;

update runs
set
    copy_of = decided_copies.copy_of,
    eligible = runs.workload_id is not null and decided_copies.copy_of is null,
    ineligible_reasons = list_filter(
        [
            case when decided_copies.copy_of is not null then 'copy' end,
            case when runs.workload_id is null then 'workload_unresolved' end
        ],
        lambda reason: reason is not null
    )
from decided_copies
where runs.run_id = decided_copies.run_id;

insert into touched_cohorts
select distinct cohort_id
from decided_copies
where
    cohort_id is not null
    and cohort_id not in (select cohort_id from touched_cohorts);
