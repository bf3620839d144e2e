-- figures_between: what became of each figure of a source between two of its positions.
-- Grain:  host, hardware, mode, level, problem shown at either.
-- Reads:  runs, presence, workload_changes, change_reason, low_ns, high_ns, intervals_apart.
-- Rule:   new (shown at the later alone), gone (at the earlier alone), changed (another run), same. The reason of a
--         change is that of baseline_history: measured_again (equal code), else what workload_changes says.
create or replace macro figures_between(of_source, before, after) as table
    with
    shown as (
        select
            runs.*,
            presence.from_position <= before
            and coalesce(presence.until_position > before, true) as shown_before,
            presence.from_position <= after
            and coalesce(presence.until_position > after, true) as shown_after
        from runs
        inner join presence on runs.run_id = presence.run_id
        where runs.source = of_source
    ),

    ends as (
        select
            host,
            hardware,
            mode,
            level,
            problem,
            any_value(run_id) filter (where shown_before) as before_run_id,
            any_value(run_id) filter (where shown_after) as after_run_id
        from shown
        where shown_before or shown_after
        group by host, hardware, mode, level, problem
    )

    select
        ends.host,
        ends.hardware,
        ends.mode,
        ends.level,
        ends.problem,
        case
            when ends.before_run_id is null then 'new'
            when ends.after_run_id is null then 'gone'
            when ends.before_run_id <> ends.after_run_id then 'changed'
            else 'same'
        end as what,
        earlier.mean_ns as before_ns,
        later.mean_ns as after_ns,
        later.mean_ns / earlier.mean_ns as ratio,
        case
            when ends.before_run_id is null or ends.after_run_id is null then null
            when ends.before_run_id = ends.after_run_id then null
            else change_reason(later.code_digest, earlier.code_digest, workload_changes.change)
        end as reason,
        intervals_apart(
            low_ns(later.ci95_low_ns, later.rounding_ns),
            high_ns(later.ci95_high_ns, later.rounding_ns),
            low_ns(earlier.ci95_low_ns, earlier.rounding_ns),
            high_ns(earlier.ci95_high_ns, earlier.rounding_ns)
        ) as beyond_interval,
        ends.before_run_id,
        ends.after_run_id
    from ends
    left join runs as earlier on ends.before_run_id = earlier.run_id
    left join runs as later on ends.after_run_id = later.run_id
    left join workload_changes
        on
            earlier.workload_id = workload_changes.workload_id
            and later.workload_id = workload_changes.other_workload_id;
