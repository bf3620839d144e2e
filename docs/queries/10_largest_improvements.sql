-- Which records improved most at once while their problem stayed the same, and was it a rival or a new measurement?
select
    record_history.changed_at,
    record_history.cause,
    baselines.host,
    baselines.level,
    baselines.problem,
    baselines.mode,
    record_history.improvement
from record_history
inner join baselines on record_history.run_id = baselines.run_id
where record_history.improvement > 0
order by record_history.improvement desc, baselines.host asc, baselines.level asc, baselines.problem asc
limit 10;
