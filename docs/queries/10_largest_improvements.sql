-- Which records improved most at once while their problem stayed the same, and was it a rival or a new measurement?
select
    changed_at,
    cause,
    host,
    level,
    problem,
    mode,
    improvement
from record_events
where improvement > 0
order by improvement desc, host asc, level asc, problem asc
limit 10;
