-- sources_have_one_health: one row for each published source; what is fresh or due was looked at, and what is unknown
-- has no times.
-- Grain:  source that breaks this.
-- Reads:  sources, source_health.
select coalesce(sources.source, source_health.source) as source
from sources
full join source_health on sources.source = source_health.source
group by coalesce(sources.source, source_health.source)
having
    count(source_health.source) <> 1
    or bool_or(source_health.status not in ('fresh', 'due', 'failing', 'stale', 'unknown'))
    or bool_or(source_health.status in ('fresh', 'due', 'failing') and source_health.checked_at is null)
    or bool_or(source_health.status = 'unknown' and source_health.due_at is not null)
