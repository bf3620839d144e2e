-- staleness: may this figure still be trusted?
-- Grain:  run.
-- Reads:  runs, sources, revisions, problems, workloads, meta.
-- Rule:   depends on the clock, so it is never stored. Reasons, in this order: withdrawn (no longer shown),
--         problem_changed (the code at head is not the code measured, or is gone), toolchain_changed and
--         harness_changed (what the repository declared then is not what it declares at head), age (older than
--         meta.stale_after_days).
create or replace view staleness as
with
limits as (
    select value::bigint as stale_after_days
    from meta
    where key = 'stale_after_days'
),

dated as (
    select
        runs.run_id,
        date_diff('day', runs.observed_at, (now() at time zone 'UTC')) as age_days,
        limits.stale_after_days,
        not runs.present as withdrawn,
        (runs.code_digest is not null and (runs.code_digest is distinct from problems.code_digest)) as problem_changed,
        (
            (then_declared.requirements_torch is distinct from sources.requirements_torch)
            or (then_declared.readme_torch is distinct from sources.readme_torch)
            or (then_declared.readme_cuda is distinct from sources.readme_cuda)
        ) as toolchain_changed,
        (then_declared.harness_digest is distinct from sources.harness_digest) as harness_changed,
        workloads.compute_digest = problems.compute_digest as same_computation
    from runs
    cross join limits
    inner join sources on runs.source = sources.source
    inner join revisions as then_declared
        on
            runs.source = then_declared.source
            and runs.first_revision = then_declared.revision
    left join problems
        on
            runs.source = problems.source
            and runs.level = problems.level
            and runs.problem = problems.problem
    left join workloads on runs.workload_id = workloads.workload_id
),

reasoned as (
    select
        run_id,
        age_days,
        list_filter(
            [
                case when withdrawn then 'withdrawn' end,
                case when problem_changed then 'problem_changed' end,
                case when toolchain_changed then 'toolchain_changed' end,
                case when harness_changed then 'harness_changed' end,
                case when age_days > stale_after_days then 'age' end
            ],
            lambda reason: reason is not null
        ) as reasons,
        case when problem_changed then coalesce(same_computation, false) end as equivalent
    from dated
)

select
    run_id,
    age_days,
    len(reasons) > 0 as stale,
    reasons,
    equivalent
from reasoned;
