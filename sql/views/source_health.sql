-- source_health: when each source was last checked, and whether its silence can still be borne.
-- Grain:  source that is published, that an ingest tried to check, or that was listed when all were ingested.
-- Reads:  sources, files, quarantine, last_checks.
-- Rule:   unknown where the session does not know the heartbeat (macros/last_checks.sql says how it comes to), and
--         where the last check lies in the future, for then a clock was wrong; else fresh, due or stale by the hours
--         since the last check that succeeded, and failing where one failed since. Never checked with success is stale.
create or replace view source_health as
with
timing_files as (
    select
        source,
        count(*) as present
    from files
    where kind = 'timing' and present
    group by source
),

refused_files as (
    select
        source,
        count(*) as present
    from quarantine
    where problem_key is null and present
    group by source
)

select
    coalesce(sources.source, checks.source) as source,
    coalesce(checks.status, 'unknown') as status,
    checks.checked_at,
    checks.changed_at,
    checks.due_at,
    sources.newest_revision,
    sources.newest_revision_at,
    coalesce(timing_files.present, 0) as files_present,
    coalesce(refused_files.present, 0) as files_refused,
    checks.requests,
    checks.last_error,
    checks.failed_at,
    checks.due_after_hours,
    checks.stale_after_hours
from sources
full join last_checks('infinity') as checks on sources.source = checks.source
left join timing_files on sources.source = timing_files.source
left join refused_files on sources.source = refused_files.source;
