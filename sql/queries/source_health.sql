-- source_health: the health of every source.
-- Grain:  source.
-- Reads:  source_health.
select *
from source_health($heartbeat)
order by
    case status when 'stale' then 1 when 'due' then 2 else 3 end asc,
    source asc
