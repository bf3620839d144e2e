-- leaderboard: the runs that stand now, ranked within their cohort.
-- Grain:  present, eligible run.
-- Reads:  runs, implementations, touched, copies.
-- Ties:   rank: equal means stay with the earlier observed, then the mode's name. rank_shared: runs whose intervals
--         (95 % interval widened by rounding on both sides) overlap share a rank (1, 1, 2); a run joins a tie only
--         when it overlaps all of its members.
create table if not exists leaderboard (
    cohort_id varchar,
    run_id varchar,
    rank bigint,
    rank_shared bigint,
    cohort_size bigint,
    mean_ns bigint,
    low_ns bigint,
    high_ns bigint,
    vs_first double,
    vs_baseline double
);

delete from leaderboard
where cohort_id in (select cohort_id from touched_cohorts);

insert into leaderboard by name
with recursive
standing as (
    select
        runs.cohort_id,
        runs.run_id,
        runs.mean_ns,
        implementations.is_baseline,
        runs.ci95_low_ns - runs.rounding_ns as low_ns,
        runs.ci95_high_ns + runs.rounding_ns as high_ns,
        row_number() over (
            partition by runs.cohort_id
            order by runs.mean_ns, runs.observed_at, runs.mode, runs.run_id
        ) as rank
    from runs
    inner join touched_cohorts using (cohort_id)
    inner join implementations using (mode)
    where runs.present and runs.eligible
),

-- A tie's members all overlap each other, so a newcomer overlaps all of them exactly when it overlaps the part that
-- they have in common: from tie_low to tie_high.
shared as (
    select
        cohort_id,
        rank,
        1::bigint as rank_shared,
        low_ns as tie_low,
        high_ns as tie_high
    from standing
    where rank = 1
    union all
    select
        newcomer.cohort_id,
        newcomer.rank,
        case
            when newcomer.low_ns <= tie.tie_high and newcomer.high_ns >= tie.tie_low
                then tie.rank_shared
            else tie.rank_shared + 1
        end as rank_shared,
        case
            when newcomer.low_ns <= tie.tie_high and newcomer.high_ns >= tie.tie_low
                then greatest(tie.tie_low, newcomer.low_ns)
            else newcomer.low_ns
        end as tie_low,
        case
            when newcomer.low_ns <= tie.tie_high and newcomer.high_ns >= tie.tie_low
                then least(tie.tie_high, newcomer.high_ns)
            else newcomer.high_ns
        end as tie_high
    from shared as tie
    inner join standing as newcomer
        on
            tie.cohort_id = newcomer.cohort_id
            and tie.rank + 1 = newcomer.rank
)

select
    standing.cohort_id,
    standing.run_id,
    standing.rank,
    shared.rank_shared,
    standing.mean_ns,
    standing.low_ns,
    standing.high_ns,
    count(*) over cohort as cohort_size,
    standing.mean_ns / min(standing.mean_ns) over cohort as vs_first,
    min(standing.mean_ns) filter (where standing.is_baseline) over cohort / standing.mean_ns as vs_baseline
from standing
inner join shared using (cohort_id, rank)
window cohort as (partition by standing.cohort_id);
