-- ranked: runs of some cohorts, ranked within each. The one place where a rank is decided.
-- Grain:  as standing: the name of a relation with the columns of contenders, of the runs that stand.
-- Reads:  precedence, intervals_apart.
-- Ties:   rank: as precedence says. rank_shared: runs whose widened intervals overlap share a rank (1, 1, 2); a run
--         joins a tie only when it overlaps all of its members.
create or replace macro ranked(standing) as table
    with recursive
    placed as (
        select
            *,
            row_number() over (
                partition by cohort_id
                order by precedence(mean_ns, first_position, mode, run_id)
            ) as rank
        from query_table(standing)
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
        from placed
        where rank = 1
        union all
        select
            newcomer.cohort_id,
            newcomer.rank,
            tie.rank_shared + newcomer.apart::bigint as rank_shared,
            case when newcomer.apart then newcomer.low_ns else greatest(tie.tie_low, newcomer.low_ns) end as tie_low,
            case when newcomer.apart then newcomer.high_ns else least(tie.tie_high, newcomer.high_ns) end as tie_high
        from shared as tie
        inner join lateral (
            select
                placed.*,
                intervals_apart(placed.low_ns, placed.high_ns, tie.tie_low, tie.tie_high) as apart
            from placed
            where
                tie.cohort_id = placed.cohort_id
                and tie.rank + 1 = placed.rank
        ) as newcomer on true
    )

    select
        placed.cohort_id,
        placed.run_id,
        placed.rank,
        shared.rank_shared,
        count(*) over cohort as cohort_size,
        placed.mean_ns,
        placed.low_ns,
        placed.high_ns,
        placed.mean_ns / min(placed.mean_ns) over cohort as vs_first,
        min(placed.mean_ns) filter (where placed.is_baseline) over cohort / placed.mean_ns as vs_baseline
    from placed
    inner join shared
        on
            placed.cohort_id = shared.cohort_id
            and placed.rank = shared.rank
    window cohort as (partition by placed.cohort_id);
