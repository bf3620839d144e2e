-- leaderboard_ranks_what_stands: exactly the present, eligible runs, each once, ranked by mean without a gap; shared
-- ranks begin at 1, never fall, and never leap.
-- Grain:  run or rank that breaks this.
-- Reads:  leaderboard, runs.
with
standing as (
    select
        run_id,
        cohort_id
    from runs
    where present and eligible
),

stepped as (
    select
        *,
        lag(mean_ns) over ranked as mean_before,
        lag(rank_shared, 1, 0::bigint) over ranked as shared_before,
        row_number() over ranked as place,
        count(*) over (partition by run_id) as times
    from leaderboard
    window ranked as (partition by cohort_id order by rank)
)

select
    run_id,
    stepped.cohort_id,
    stepped.rank
from stepped
full join standing using (run_id)
where
    stepped.cohort_id is distinct from standing.cohort_id
    or stepped.rank <> stepped.place
    or stepped.times > 1
    or stepped.mean_ns < stepped.mean_before
    or stepped.rank_shared not in (stepped.shared_before, stepped.shared_before + 1)
    or (stepped.rank = 1 and (stepped.rank_shared <> 1 or stepped.vs_first <> 1))
