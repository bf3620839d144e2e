-- problem_codes_are_whole: what is declared is known of each code that a source showed or that was measured, and of no
-- other, and is what its version and its workload say.
-- Grain:  code that breaks this.
-- Reads:  problem_codes, problem_versions, workloads.
with
shown as (
    select distinct
        workload_id,
        level,
        problem,
        code_digest,
        compute_digest
    from problem_versions
    where workload_id is not null
    union
    select
        workload_id,
        level,
        problem,
        code_digest,
        compute_digest
    from workloads
)

select
    coalesce(problem_codes.workload_id, shown.workload_id) as workload_id,
    coalesce(problem_codes.level, shown.level) as level,
    coalesce(problem_codes.problem, shown.problem) as problem
from problem_codes
full join shown on problem_codes.workload_id = shown.workload_id
left join workloads on problem_codes.workload_id = workloads.workload_id
where
    problem_codes.workload_id is null
    or shown.workload_id is null
    or problem_codes.level <> shown.level
    or problem_codes.problem <> shown.problem
    or problem_codes.code_digest <> shown.code_digest
    or problem_codes.compute_digest <> shown.compute_digest
    or problem_codes.inputs <> workloads.inputs
    or problem_codes.axes <> workloads.axes
    or problem_codes.scalars <> workloads.scalars
    or problem_codes.init <> workloads.init
    or problem_codes.dtype <> workloads.dtype
