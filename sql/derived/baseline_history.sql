-- baseline_history: each version of a figure, how it differs from the one before, and why.
-- Grain:  source, host, hardware, mode, level, problem, version: one per unbroken interval in which a run was present.
-- Reads:  runs, presence, workload_changes, declared_software, batch_series, low_ns, high_ns, intervals_apart,
--         change_reason.
-- Rule:   versions count from 1 in the order in which they were present. reason: returned (the run itself was present
--         before and was put back), else as change_reason says. Null: the first version, or one of the two has no
--         readable module. beyond_interval: the two widened intervals are apart. What was declared is that of the
--         revision where the figures first appeared. Touched series are replaced: a version hangs on its series, on the
--         modules that were measured, and on commits that were there.
delete from baseline_history
where (source, host, mode) in (select (source, host, mode) from batch_series);

insert into baseline_history by name
with
intervals as (
    select
        runs.source,
        runs.host,
        runs.hardware,
        runs.mode,
        runs.level,
        runs.problem,
        runs.run_id,
        runs.environment_id,
        runs.workload_id,
        runs.code_digest,
        runs.mean_ns,
        runs.ci95_low_ns,
        runs.ci95_high_ns,
        runs.rounding_ns,
        runs.num_trials,
        presence.from_position,
        presence.from_revision,
        presence.from_at,
        presence.until_position,
        presence.until_revision,
        presence.until_at,
        row_number() over figure as version,
        row_number() over (partition by runs.run_id order by presence.from_position) as interval_of_run,
        min(presence.from_position) over (partition by runs.run_id) as first_position,
        lag(runs.run_id) over figure as previous_run_id,
        lag(runs.workload_id) over figure as previous_workload_id,
        lag(runs.code_digest) over figure as previous_code_digest,
        lag(runs.mean_ns) over figure as previous_mean_ns,
        lag(low_ns(runs.ci95_low_ns, runs.rounding_ns)) over figure as previous_low_ns,
        lag(high_ns(runs.ci95_high_ns, runs.rounding_ns)) over figure as previous_high_ns,
        lag(presence.until_at) over figure as previous_until_at,
        lag(presence.until_position) over figure as previous_until_position
    from runs
    semi join batch_series using (source, host, mode)
    inner join presence on runs.run_id = presence.run_id
    window
        figure as (
            partition by runs.source, runs.host, runs.hardware, runs.mode, runs.level, runs.problem
            order by presence.from_position
        )
),

chained as (
    select
        *,
        lag(first_position) over (
            partition by source, host, hardware, mode, level, problem
            order by version
        ) as previous_first_position
    from intervals
)

select
    chained.source,
    chained.host,
    chained.hardware,
    chained.mode,
    chained.level,
    chained.problem,
    chained.version,
    chained.run_id,
    chained.previous_run_id,
    chained.environment_id,
    chained.workload_id,
    chained.mean_ns,
    chained.ci95_low_ns,
    chained.ci95_high_ns,
    chained.rounding_ns,
    chained.num_trials,
    chained.from_position,
    chained.from_revision,
    chained.from_at,
    chained.until_position,
    chained.until_revision,
    chained.until_at,
    chained.until_position is null as present,
    chained.previous_mean_ns,
    chained.mean_ns / chained.previous_mean_ns as ratio,
    case
        when chained.previous_run_id is null then null
        when chained.interval_of_run > 1 then 'returned'
        else change_reason(chained.code_digest, chained.previous_code_digest, workload_changes.change)
    end as reason,
    intervals_apart(
        low_ns(chained.ci95_low_ns, chained.rounding_ns),
        high_ns(chained.ci95_high_ns, chained.rounding_ns),
        chained.previous_low_ns,
        chained.previous_high_ns
    ) as beyond_interval,
    case
        when chained.previous_until_position < chained.from_position
            then date_diff('day', chained.previous_until_at, chained.from_at)
    end as gap_days,
    declared.toolchain,
    declared.toolchain_conflict,
    declared.requirements_torch,
    declared.readme_torch,
    declared.readme_cuda,
    declared.harness_digest,
    declared.harness_l2_cleared,
    before.toolchain as previous_toolchain,
    before.toolchain_conflict as previous_toolchain_conflict,
    before.requirements_torch as previous_requirements_torch,
    before.readme_torch as previous_readme_torch,
    before.readme_cuda as previous_readme_cuda,
    before.harness_digest as previous_harness_digest,
    before.harness_l2_cleared as previous_harness_l2_cleared
from chained
inner join declared_software as declared
    on
        chained.source = declared.source
        and chained.first_position = declared.position
left join declared_software as before
    on
        chained.source = before.source
        and chained.previous_first_position = before.position
left join workload_changes
    on
        chained.previous_workload_id = workload_changes.workload_id
        and chained.workload_id = workload_changes.other_workload_id;
