-- sources_unpublished: the sources that are followed where no database is published yet, with what they hold: nothing.
-- Grain:  source of the heartbeat.
-- Reads:  last_checks.
-- Rule:   columns and order of sources_followed.
select
    checks.source,
    null::varchar as licence,
    null::varchar as copyright,
    0 as runs,
    0 as own,
    0 as own_present,
    0 as copies,
    0 as doubtful,
    checks.status,
    checks.checked_at,
    checks.changed_at,
    checks.due_at,
    null::varchar as newest_revision,
    null::timestamp as newest_revision_at,
    0 as files_present,
    0 as files_refused,
    checks.requests,
    checks.last_error,
    checks.failed_at,
    checks.due_after_hours,
    checks.stale_after_hours
from last_checks('infinity') as checks
order by
    case checks.status when 'stale' then 1 when 'failing' then 2 when 'unknown' then 3 when 'due' then 4 else 5 end asc,
    checks.source asc
