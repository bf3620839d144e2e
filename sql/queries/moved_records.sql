-- moved_records: how records of a source moved after a moment.
-- Grain:  event.
-- Reads:  record_events.
-- Rule:   in the order of how much they moved, the largest first; what was withdrawn last.
select
    level,
    problem,
    host,
    gpu,
    cause,
    previous_mode,
    mode,
    previous_mean_ns,
    mean_ns,
    mean_ns / previous_mean_ns as ratio,
    changed_at,
    revision
from record_events
where
    source = $source
    and changed_at > $since::timestamp
    and ($level::varchar is null or level = $level)
    and ($host::varchar is null or host = $host)
order by abs(ln(mean_ns / previous_mean_ns)) desc nulls last, level asc, problem asc, host asc, changed_at asc;
