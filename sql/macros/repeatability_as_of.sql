-- repeatability_as_of: how far repeated measurements disagreed, of what had been shown by a moment.
-- Grain:  environment (source, host, GPU).
-- Reads:  baseline_history, environments, seen_as_of.
-- Rule:   a pair is a version of a figure and the one before it where the reason is measured_again: equal code, host,
--         GPU and mode, another session. change: the greater mean over the smaller, less 1, whichever came first.
--         Quantiles interpolate linearly. limit_ratio is what a margin between two figures must exceed to be clear of
--         what sessions show: 1 + the 90th percentile of the change on this host and GPU, where it has 30 pairs or
--         more; else of all of the source's pairs together, where these are 30 or more; else null.
create or replace macro repeatability_as_of(moment) as table
    with
    pairs as (
        select
            history.source,
            history.environment_id,
            history.beyond_interval,
            greatest(history.ratio, 1 / history.ratio) - 1 as change,
            (
                history.toolchain is distinct from history.previous_toolchain
                or history.toolchain_conflict
                or history.previous_toolchain_conflict
                or history.harness_digest is distinct from history.previous_harness_digest
            ) as redeclared
        from baseline_history as history
        inner join seen_as_of(moment) as seen on history.source = seen.source
        where history.reason = 'measured_again' and history.from_position <= seen.position
    ),

    of_each as (
        select
            environment_id,
            count(*) as pairs,
            count(*) filter (where redeclared) as pairs_redeclared,
            count(*) filter (where beyond_interval) as beyond_interval,
            avg(beyond_interval::bigint) as share_beyond_interval,
            median(change) as median_change,
            quantile_cont(change, 0.9) as p90_change,
            max(change) as max_change
        from pairs
        group by environment_id
    ),

    of_all as (
        select
            source,
            count(*) as pairs,
            quantile_cont(change, 0.9) as p90_change
        from pairs
        group by source
    )

    select
        environments.environment_id,
        environments.source,
        environments.host,
        environments.hardware,
        environments.product,
        coalesce(of_each.pairs, 0) as pairs,
        coalesce(of_each.pairs_redeclared, 0) as pairs_redeclared,
        coalesce(of_each.beyond_interval, 0) as beyond_interval,
        of_each.share_beyond_interval,
        of_each.median_change,
        of_each.p90_change,
        of_each.max_change,
        case
            when of_each.pairs >= 30 then 'host'
            when of_all.pairs >= 30 then 'all hosts'
        end as limit_basis,
        case
            when of_each.pairs >= 30 then of_each.pairs
            when of_all.pairs >= 30 then of_all.pairs
        end as limit_pairs,
        case
            when of_each.pairs >= 30 then 1 + of_each.p90_change
            when of_all.pairs >= 30 then 1 + of_all.p90_change
        end as limit_ratio
    from environments
    left join of_each on environments.environment_id = of_each.environment_id
    left join of_all on environments.source = of_all.source;
