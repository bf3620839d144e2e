-- staleness_seen: may the figures shown by one moment still be trusted, aged to another? The one definition behind the
-- view staleness and the macro staleness_as_of.
-- Grain:  run that was shown by seen_until, or observed by then and unreachable.
-- Reads:  runs, revisions, workloads, workload_changes, meta, problem_versions, harnesses, seen_as_of,
--         presence_as_of, last_checks, known_difference, named_torch, severity_of.
-- Rule:   reasons, in this order: unreachable (the branch was rewritten and shows it at no revision: whatever the
--         moment, since it is the line of now that is asked), withdrawn (no longer shown), problem_changed (the code at
--         the newest commit is not the code measured, or is gone), binding_doubtful (binding_doubts), toolchain_changed
--         and harness_changed (what the repository declared then differs from what it declares at the newest commit,
--         in a fact that both name), age (older than meta.stale_after_days), source_unchecked (where the session knows
--         the heartbeat: see last_checks). severity: of the gravest. change: how the problem changed, as in
--         workload_changes; gone where the newest commit has no such module.
create or replace macro staleness_seen(seen_until, aged_at) as table
    with
    limits as (
        select value::bigint as stale_after_days
        from meta
        where key = 'stale_after_days'
    ),

    seen as (
        select *
        from seen_as_of(seen_until)
    ),

    redeclared as (
        select
            revisions.source,
            revisions.revision,
            (
                known_difference(named_torch(revisions.requirements_torch), named_torch(seen.requirements_torch))
                or known_difference(revisions.readme_torch, seen.readme_torch)
                or known_difference(revisions.readme_cuda, seen.readme_cuda)
            ) as toolchain_changed,
            (
                known_difference(timed.l2_cleared, times.l2_cleared)
                or known_difference(timed.first_trial_discarded, times.first_trial_discarded)
                or known_difference(timed.warm_up_trials, times.warm_up_trials)
                or known_difference(timed.timer, times.timer)
            ) as harness_changed,
            checks.unchecked as source_unchecked
        from revisions
        inner join seen on revisions.source = seen.source
        left join harnesses as timed on revisions.harness_digest = timed.harness_digest
        left join harnesses as times on seen.harness_digest = times.harness_digest
        left join last_checks(aged_at) as checks on revisions.source = checks.source
    ),

    codes as (
        select
            problem_versions.source,
            problem_versions.level,
            problem_versions.problem,
            problem_versions.code_digest,
            problem_versions.compute_digest,
            problem_versions.workload_id,
            problem_versions.present
        from problem_versions
        inner join seen on problem_versions.source = seen.source
        where problem_versions.from_position <= seen.position
        qualify row_number() over (
            partition by problem_versions.source, problem_versions.level, problem_versions.problem
            order by problem_versions.from_position desc
        ) = 1
    ),

    -- A run is present where its last interval is open.
    intervals as (
        select
            run_id,
            arg_max(struct_pack(at := until_at, position := until_position), from_position) as ended
        from presence_as_of(seen_until)
        group by run_id
    ),

    dated as (
        select
            runs.run_id,
            not runs.reachable as unreachable,
            intervals.ended['at'] as withdrawn_at,
            limits.stale_after_days,
            redeclared.toolchain_changed,
            redeclared.harness_changed,
            redeclared.source_unchecked,
            date_diff('day', runs.observed_at, aged_at::timestamp) as age_days,
            intervals.ended['position'] is not null as withdrawn,
            (runs.code_digest is not null and (runs.code_digest is distinct from codes.code_digest)) as problem_changed,
            list_contains(runs.ineligible_reasons, 'binding_doubtful') as binding_doubtful,
            workloads.compute_digest = codes.compute_digest as same_computation,
            case when coalesce(codes.present, false) then workload_changes.change else 'gone' end as change
        from runs
        cross join limits
        left join intervals on runs.run_id = intervals.run_id
        inner join redeclared
            on
                runs.source = redeclared.source
                and runs.first_revision = redeclared.revision
        left join codes
            on
                runs.source = codes.source
                and runs.level = codes.level
                and runs.problem = codes.problem
        left join workloads on runs.workload_id = workloads.workload_id
        left join workload_changes
            on
                runs.workload_id = workload_changes.workload_id
                and codes.workload_id = workload_changes.other_workload_id
        where intervals.run_id is not null or (not runs.reachable and runs.observed_at <= seen_until::timestamp)
    ),

    reasoned as (
        select
            run_id,
            age_days,
            withdrawn_at,
            list_filter(
                [
                    case when unreachable then 'unreachable' end,
                    case when withdrawn then 'withdrawn' end,
                    case when problem_changed then 'problem_changed' end,
                    case when binding_doubtful then 'binding_doubtful' end,
                    case when toolchain_changed then 'toolchain_changed' end,
                    case when harness_changed then 'harness_changed' end,
                    case when age_days > stale_after_days then 'age' end,
                    case when source_unchecked then 'source_unchecked' end
                ],
                lambda reason: reason is not null
            ) as reasons,
            case when problem_changed then coalesce(same_computation, false) end as equivalent,
            case when problem_changed then change end as change
        from dated
    )

    select
        run_id,
        age_days,
        len(reasons) > 0 as stale,
        severity_of(reasons) as severity,
        reasons,
        equivalent,
        change,
        withdrawn_at
    from reasoned;
