-- diff_problems: which problems of a source came, went or changed between two commits.
-- Grain:  level, problem that did.
-- Reads:  problem_versions, workloads, workload_changes, problem_number.
-- Rule:   change as in workload_changes; null: the code changed, and one of the two cannot be read.
with
versions as (
    select
        level,
        problem,
        from_position,
        struct_pack(present, code_digest, workload_id) as version
    from problem_versions
    where
        source = $source
        and ($level is null or level = $level)
        and (
            $family is null
            or workload_id in (
                select workload_id
                from workloads
                where family = $family
            )
        )
),

ends as (
    select
        level,
        problem,
        arg_max(version, from_position) filter (where from_position <= $before) as earlier,
        arg_max(version, from_position) filter (where from_position <= $after) as later
    from versions
    group by level, problem
),

compared as (
    select
        level,
        problem,
        coalesce(earlier['present'], false) as was_there,
        coalesce(later['present'], false) as is_there,
        earlier['code_digest'] as before_code_digest,
        later['code_digest'] as after_code_digest,
        earlier['workload_id'] as before_workload_id,
        later['workload_id'] as after_workload_id
    from ends
)

select
    compared.level,
    compared.problem,
    case when not compared.was_there then 'new' when not compared.is_there then 'gone' else 'changed' end as what,
    workload_changes.change as reason,
    compared.before_code_digest,
    compared.after_code_digest
from compared
left join workload_changes
    on
        compared.before_workload_id = workload_changes.workload_id
        and compared.after_workload_id = workload_changes.other_workload_id
where
    (compared.was_there or compared.is_there)
    and (
        compared.was_there <> compared.is_there
        or compared.before_code_digest is distinct from compared.after_code_digest
    )
order by
    compared.level asc, problem_number(compared.problem) asc, compared.problem asc
