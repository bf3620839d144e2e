-- problem_standing: how each run of one problem stands, now or, where $moment is given, as it did then.
-- Grain:  run observed by then.
-- Reads:  runs, leaderboard_as_of, presence_as_of, staleness_seen.
-- Rule:   now, as in leaderboard and staleness: everything ever shown, whatever the clock says of its date. A run
--         stands
--         by its presence alone; rank is null where it stands and is not eligible. Those that are ranked first, by
--         rank, then the others that stand, then those withdrawn, the latest first.
with
present_then as (
    select run_id
    from presence_as_of(coalesce($moment::timestamp, 'infinity'::timestamp))
    where until_position is null
)

select
    runs.run_id,
    standing.rank,
    standing.rank_shared,
    standing.cohort_size,
    standing.vs_first,
    standing.vs_baseline,
    present_then.run_id is not null as stands,
    doubts.withdrawn_at,
    doubts.age_days,
    doubts.stale,
    doubts.severity,
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
left join present_then on runs.run_id = present_then.run_id
left join leaderboard_as_of(coalesce($moment::timestamp, 'infinity'::timestamp)) as standing
    on runs.run_id = standing.run_id
where
    runs.level = $level
    and runs.problem = $problem
order by stands desc, standing.rank asc nulls last, runs.mean_ns asc, runs.observed_at desc, runs.run_id asc
