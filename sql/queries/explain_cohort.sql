-- explain_cohort: the runs that stand in a cohort, by rank.
-- Grain:  run.
-- Reads:  leaderboard, runs, implementations.
select
    leaderboard.rank,
    leaderboard.rank_shared,
    leaderboard.run_id,
    runs.mode,
    implementations.title as implementation,
    leaderboard.mean_ns,
    leaderboard.low_ns,
    leaderboard.high_ns
from leaderboard
inner join runs on leaderboard.run_id = runs.run_id
inner join implementations on runs.mode = implementations.mode
where leaderboard.cohort_id = $cohort_id
order by leaderboard.rank asc
