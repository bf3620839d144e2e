-- source_health: the health of every source.
-- Grain:  source.
-- Reads:  source_health.
select *
from source_health
order by
    case status when 'stale' then 1 when 'failing' then 2 when 'unknown' then 3 when 'due' then 4 else 5 end asc,
    source asc
