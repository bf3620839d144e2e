-- problem_standing_as_of: how each run of one problem stands at a moment.
-- Grain:  run observed by then.
-- Reads:  runs, leaderboard_as_of, staleness_as_of.
-- Rule:   as in problem_standing.
select
    runs.run_id,
    standing.rank,
    standing.rank_shared,
    standing.cohort_size,
    standing.vs_first,
    standing.vs_baseline,
    standing.run_id is not null as stands,
    doubts.withdrawn_at,
    doubts.age_days,
    doubts.stale,
    doubts.reasons as stale_reasons,
    doubts.equivalent,
    doubts.change
from runs
inner join staleness_as_of($moment) as doubts on runs.run_id = doubts.run_id
left join leaderboard_as_of($moment) as standing on runs.run_id = standing.run_id
where
    runs.level = $level
    and runs.problem = $problem
order by stands desc, standing.rank asc nulls last, runs.mean_ns asc, runs.observed_at desc, runs.run_id asc
