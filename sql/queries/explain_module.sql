-- explain_module: the versions of a problem's code, at the tracked commits, against the code that a run measured.
-- Grain:  version of the code.
-- Reads:  runs, presence, problem_versions, problem_codes, workload_changes.
-- Rule:   change: how it differs from the code measured; null: it is that code, or one of the two cannot be read.
--         later: seen after the figures first appeared. inputs: null where this version cannot be read.
select
    problem_versions.from_position,
    problem_versions.from_revision,
    problem_versions.from_at,
    problem_versions.code_digest,
    problem_versions.compute_digest,
    problem_versions.present,
    list_transform(
        list_zip(
            from_json(problem_codes.inputs, '[{"name": "VARCHAR"}]'),
            input_sizes(problem_codes.inputs, problem_codes.axes)
        ),
        lambda input: input[1]['name'] || ' ' || input[2]['dtype'] || input[2]['sizes']::varchar
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
left join problem_codes on problem_versions.workload_id = problem_codes.workload_id
left join workload_changes
    on
        runs.workload_id = workload_changes.workload_id
        and problem_versions.workload_id = workload_changes.other_workload_id
where runs.run_id = $run_id
order by problem_versions.from_position asc
