-- interop_is_whole: one row for each present run, pinned to the newest revision of its source.
-- Grain:  run that breaks this.
-- Reads:  interop, runs, sources.
with
standing as (
    select
        runs.run_id,
        sources.newest_revision
    from runs
    inner join sources on runs.source = sources.source
    where runs.present
)

select
    run_id,
    interop.revision,
    standing.newest_revision
from interop
full join standing using (run_id)
where interop.revision is distinct from standing.newest_revision
