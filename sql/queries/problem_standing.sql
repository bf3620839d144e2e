-- problem_standing: how each run of one problem stands, now or, where $moment is given, as it did then.
-- Grain:  run observed by then.
-- Reads:  runs, leaderboard_as_of, staleness_seen.
-- Rule:   now, as in leaderboard and staleness: everything ever shown, whatever the clock says of its date. Those that
--         stand first, by rank, then those withdrawn, the latest first.
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
inner join
    staleness_seen(
        coalesce($moment::timestamp, 'infinity'::timestamp),
        coalesce($moment::timestamp, now() at time zone 'UTC')
    ) as doubts
    on runs.run_id = doubts.run_id
left join leaderboard_as_of(coalesce($moment::timestamp, 'infinity'::timestamp)) as standing
    on runs.run_id = standing.run_id
where
    runs.level = $level
    and runs.problem = $problem
order by stands desc, standing.rank asc nulls last, runs.mean_ns asc, runs.observed_at desc, runs.run_id asc
