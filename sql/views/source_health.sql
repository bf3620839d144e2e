-- source_health: when each source was last looked at, and whether its silence can still be borne.
-- Grain:  source that is published, or that an ingest tried to look at.
-- Reads:  sources, files, quarantine, last_looks.
-- Rule:   unknown where the session does not know the heartbeat (macros/last_looks.sql says how it comes to); else
--         fresh, due or stale by the hours since the last look that succeeded. Never looked at with success is stale.
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
    coalesce(sources.source, looks.source) as source,
    case
        when looks.source is null then 'unknown'
        when looks.unchecked then 'stale'
        when looks.hours_since > looks.due_after_hours then 'due'
        else 'fresh'
    end as status,
    looks.checked_at,
    looks.changed_at,
    looks.checked_at + to_seconds(looks.due_after_hours * 3600) as due_at,
    sources.newest_revision,
    sources.newest_revision_at,
    coalesce(timing_files.present, 0) as files_present,
    coalesce(refused_files.present, 0) as files_refused,
    looks.requests,
    looks.last_error,
    looks.failed_at,
    looks.due_after_hours,
    looks.stale_after_hours
from sources
full join last_looks('infinity') as looks on sources.source = looks.source
left join timing_files on sources.source = timing_files.source
left join refused_files on sources.source = refused_files.source;
