-- source_health: the health of every source.
-- Grain:  source.
-- Reads:  source_health.
select *
from source_health
order by
    case status when 'stale' then 1 when 'unknown' then 2 when 'due' then 3 else 4 end asc,
    source asc
