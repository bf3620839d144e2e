-- copies: which runs repeat figures that appeared earlier in another source.
-- Grain:  sets copy_of of runs.
-- Reads:  runs, touched, meta.
-- Rule:   equal mode, hardware, problem and figures (copy_key), whatever host folder the run is in and whatever code
--         stands beside it there. Within one source equal figures are no copy: noise remarks on them. A run that is
--         not reachable any more is neither original nor copy: nothing shows it that could be looked at.
-- Ties:   a run that began at the same moment in several sources (a fork shares its commits with upstream) belongs to
--         the upstream project, else to the source that comes first by name; the id decides within a source.
create or replace temp table decided_copies as
with
originals as (
    select
        copy_key,
        arg_min(
            struct_pack(run_id := run_id, source := source),
            struct_pack(
                observed_at := observed_at,
                elsewhere := source is distinct from upstream.value,
                source := source,
                run_id := run_id
            )
        ) as original
    from runs
    left join meta as upstream on upstream.key = 'upstream'
    where reachable and copy_key in (select copy_key from touched_copies)
    group by copy_key
),

decided as (
    select
        runs.run_id,
        runs.source,
        runs.host,
        runs.mode,
        runs.copy_of as copy_before,
        case when originals.original['source'] <> runs.source then originals.original['run_id'] end as copy_of
    from runs
    inner join originals on runs.copy_key = originals.copy_key
    where runs.reachable
)

select
    run_id,
    source,
    host,
    mode,
    copy_of
from decided
where copy_of is distinct from copy_before;

update runs
set copy_of = decided_copies.copy_of
from decided_copies
where runs.run_id = decided_copies.run_id;
