-- problem_standing: how each run of one problem stands now.
-- Grain:  run.
-- Reads:  runs, leaderboard, staleness.
-- Rule:   those that stand first, by rank, then those withdrawn, the latest first.
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
inner join staleness as doubts on runs.run_id = doubts.run_id
left join leaderboard as standing on runs.run_id = standing.run_id
where
    runs.level = $level
    and runs.problem = $problem
order by stands desc, standing.rank asc nulls last, runs.mean_ns asc, runs.observed_at desc, runs.run_id asc
