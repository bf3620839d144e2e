-- leaderboard_as_of: the runs that stood at a moment (UTC, without a time zone attached), ranked within their cohort.
-- Grain:  eligible run that stood then.
-- Reads:  runs, implementations, stood_as_of.
-- Ties:   as in leaderboard. A test holds this equal to leaderboard for a moment after everything.
create or replace macro leaderboard_as_of(moment) as table
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
        inner join stood_as_of(moment) as stood on runs.run_id = stood.run_id
        inner join implementations on runs.mode = implementations.mode
        where stood.until_position is null and runs.eligible
    ),

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
        count(*) over cohort as cohort_size,
        standing.mean_ns,
        standing.low_ns,
        standing.high_ns,
        standing.mean_ns / min(standing.mean_ns) over cohort as vs_first,
        min(standing.mean_ns) filter (where standing.is_baseline) over cohort / standing.mean_ns as vs_baseline
    from standing
    inner join shared
        on
            standing.cohort_id = shared.cohort_id
            and standing.rank = shared.rank
    window cohort as (partition by standing.cohort_id);
