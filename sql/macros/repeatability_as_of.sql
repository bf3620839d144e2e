-- repeatability_as_of: how far repeated measurements disagreed, of what had been shown by a moment.
-- Grain:  environment (source, host, GPU), class of duration.
-- Reads:  baseline_history, presence_as_of, runs, environments, twin_hosts, seen_as_of, duration_class,
--         repository_of, short_gpu.
-- Rule:   a pair is two measurements of equal code on one machine in one mode: a version of a figure and the one before
--         it where the reason is measured_again, and the figures of two host folders that the registry declares to be
--         one machine. Copies, doubtful bindings and what is not reachable make no pair. A session is a distinct pair
--         of commits or of twin folders. beyond_interval: |m1 - m2| > 1.96 sqrt(se1^2 + se2^2) + h1 + h2, se the
--         standard error and h the rounding of each mean. log_ratio is |ln(m2 / m1)|; quantiles interpolate linearly.
--         A pair belongs to the class of its earlier mean; of twins, to both environments, yet is counted once where
--         environments are taken together.
--         limit_ratio is what a margin between two figures must exceed to be clear of what sessions show: e to the
--         90th percentile of log_ratio of the class in this environment, else on this GPU, else on all, each only where
--         it rests on 30 pairs of 2 sessions or more; else null.
create or replace macro repeatability_as_of(moment) as table
    with
    usable as (
        select
            *,
            std_ns / sqrt(case when num_trials between 2 and 29 then num_trials - 1 else num_trials end)
                as standard_error_ns
        from runs
        where reachable and copy_of is null and not list_contains(ineligible_reasons, 'binding_doubtful')
    ),

    present_then as (
        select run_id
        from presence_as_of(moment)
        where until_position is null
    ),

    matched as (
        select
            history.previous_run_id as one_id,
            history.run_id as other_id,
            null as twin
        from baseline_history as history
        inner join seen_as_of(moment) as seen on history.source = seen.source
        where history.reason = 'measured_again' and history.from_position <= seen.position
        union all
        select
            one.run_id as one_id,
            other.run_id as other_id,
            twin_hosts.twin_host as twin
        from twin_hosts
        inner join usable as one
            on
                twin_hosts.source = repository_of(one.source)
                and twin_hosts.host = one.host
        inner join usable as other
            on
                one.source = other.source
                and twin_hosts.twin_host = other.host
                and one.hardware = other.hardware
                and one.mode = other.mode
                and one.level = other.level
                and one.problem = other.problem
                and one.code_digest = other.code_digest
        where
            one.run_id in (select run_id from present_then)
            and other.run_id in (select run_id from present_then)
    ),

    pairs as (
        select
            one.environment_id as one_environment_id,
            other.environment_id as other_environment_id,
            coalesce(environments.known_as, one.hardware) as gpu,
            duration_class(one.mean_ns) as duration_class,
            coalesce(
                one.source || ' ' || one.host || ' ' || matched.twin,
                one.first_revision || ' ' || other.first_revision
            ) as session,
            abs(ln(other.mean_ns / one.mean_ns)) as log_ratio,
            abs(one.mean_ns - other.mean_ns) > 1.96 * sqrt(
                one.standard_error_ns ** 2 + other.standard_error_ns ** 2
            ) + one.rounding_ns + other.rounding_ns as beyond_interval
        from matched
        inner join usable as one on matched.one_id = one.run_id
        inner join usable as other on matched.other_id = other.run_id
        inner join environments on one.environment_id = environments.environment_id
    ),

    placed as (
        select
            one_environment_id as environment_id,
            * exclude (one_environment_id, other_environment_id)
        from pairs
        union all
        select
            other_environment_id as environment_id,
            * exclude (one_environment_id, other_environment_id)
        from pairs
        where other_environment_id <> one_environment_id
    ),

    of_each as (
        select
            environment_id,
            duration_class,
            count(*) as pairs,
            count(distinct session) as sessions,
            count(*) filter (where beyond_interval) as beyond_interval,
            avg(beyond_interval::bigint) as share_beyond_interval,
            median(log_ratio) as median_log_ratio,
            quantile_cont(log_ratio, 0.9) as p90_log_ratio,
            max(log_ratio) as max_log_ratio
        from placed
        group by environment_id, duration_class
    ),

    of_gpu as (
        select
            gpu,
            duration_class,
            count(*) as pairs,
            count(distinct session) as sessions,
            quantile_cont(log_ratio, 0.9) as p90_log_ratio
        from pairs
        group by gpu, duration_class
    ),

    of_all as (
        select
            duration_class,
            count(*) as pairs,
            count(distinct session) as sessions,
            quantile_cont(log_ratio, 0.9) as p90_log_ratio
        from pairs
        group by duration_class
    ),

    classes as (
        select unnest(['below 0.1 ms', '0.1 to 1 ms', '1 to 10 ms', 'above 10 ms']) as duration_class
    ),

    limited as (
        select
            environments.environment_id,
            environments.source,
            environments.host,
            environments.host_title,
            environments.hardware,
            short_gpu(environments.product, environments.hardware) as gpu,
            environments.product,
            classes.duration_class,
            coalesce(of_each.pairs, 0) as pairs,
            coalesce(of_each.sessions, 0) as sessions,
            coalesce(of_each.beyond_interval, 0) as beyond_interval,
            of_each.share_beyond_interval,
            of_each.median_log_ratio,
            of_each.p90_log_ratio,
            of_each.max_log_ratio,
            list_filter(
                [
                    struct_pack(
                        basis := 'environment',
                        pairs := of_each.pairs,
                        sessions := of_each.sessions,
                        p90 := of_each.p90_log_ratio
                    ),
                    struct_pack(
                        basis := 'GPU', pairs := of_gpu.pairs, sessions := of_gpu.sessions, p90 := of_gpu.p90_log_ratio
                    ),
                    struct_pack(
                        basis := 'all', pairs := of_all.pairs, sessions := of_all.sessions, p90 := of_all.p90_log_ratio
                    )
                ],
                lambda known: known['pairs'] >= 30 and known['sessions'] >= 2
            )[1] as known_limit
        from environments
        cross join classes
        left join of_each
            on
                environments.environment_id = of_each.environment_id
                and classes.duration_class = of_each.duration_class
        left join of_gpu
            on
                coalesce(environments.known_as, environments.hardware) = of_gpu.gpu
                and classes.duration_class = of_gpu.duration_class
        left join of_all on classes.duration_class = of_all.duration_class
    )

    select
        * exclude (known_limit),
        known_limit['basis'] as limit_basis,
        known_limit['pairs'] as limit_pairs,
        known_limit['sessions'] as limit_sessions,
        exp(known_limit['p90']) as limit_ratio
    from limited;
