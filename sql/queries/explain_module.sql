-- explain_module: the versions of a problem's code, of the commits looked at, against the code that a run measured.
-- Grain:  version of the code.
-- Reads:  runs, presence, problem_versions, workload_changes, workloads, pinned_problems, sources.
-- Rule:   change: how it differs from the code measured; null: it is that code, or it cannot be told. later: seen after
--         the figures first appeared. inputs: null where only digests of this version are known.
with
known as (
    select
        problem_versions.source,
        problem_versions.level,
        problem_versions.problem,
        problem_versions.from_position,
        coalesce(workloads.axes, pinned_problems.axes) as axes,
        from_json(
            coalesce(workloads.inputs, pinned_problems.inputs),
            '[{"name": "VARCHAR", "dtype": "VARCHAR", "shape": ["VARCHAR"]}]'
        ) as inputs
    from problem_versions
    inner join sources on problem_versions.source = sources.source
    inner join runs
        on
            problem_versions.source = runs.source
            and problem_versions.level = runs.level
            and problem_versions.problem = runs.problem
    left join workloads on problem_versions.workload_id = workloads.workload_id
    left join pinned_problems
        on
            problem_versions.source = pinned_problems.source
            and problem_versions.level = pinned_problems.level
            and problem_versions.problem = pinned_problems.problem
            and problem_versions.from_position = (
                select max(newest.from_position) from problem_versions as newest
                where
                    newest.source = problem_versions.source
                    and newest.level = problem_versions.level
                    and newest.problem = problem_versions.problem
                    and newest.from_position < sources.revisions
            )
    where runs.run_id = $run_id
)

select
    problem_versions.from_position,
    problem_versions.from_revision,
    problem_versions.from_at,
    problem_versions.code_digest,
    problem_versions.compute_digest,
    problem_versions.present,
    list_transform(
        known.inputs,
        lambda input: input['name'] || ' ' || input['dtype'] || list_transform(
            input['shape'],
            lambda size: coalesce(try_cast(size as bigint), json_extract_string(known.axes, size)::bigint)
        )::varchar
    ) as inputs,
    problem_versions.code_digest = runs.code_digest as measured,
    case when problem_versions.present then workload_changes.change else 'gone' end as change,
    problem_versions.from_position > (
        select min(presence.from_position) from presence
        where presence.run_id = $run_id
    ) as later
from runs
inner join problem_versions
    on
        runs.source = problem_versions.source
        and runs.level = problem_versions.level
        and runs.problem = problem_versions.problem
left join known
    on
        problem_versions.source = known.source
        and problem_versions.level = known.level
        and problem_versions.problem = known.problem
        and problem_versions.from_position = known.from_position
left join workload_changes
    on
        runs.workload_id = workload_changes.workload_id
        and problem_versions.workload_id = workload_changes.other_workload_id
where runs.run_id = $run_id
order by problem_versions.from_position asc
