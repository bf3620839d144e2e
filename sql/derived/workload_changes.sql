-- workload_changes: what differs between two codes of one problem. The one definition of what a change of code is.
-- Grain:  ordered pair of different workloads of one level and problem.
-- Reads:  workloads, problem_versions, pinned_problems, sources.
-- Rule:   the first that holds: inputs_redrawn (equal compute_digest), inputs_changed (other shapes or dtypes of
--         inputs, or other constructor arguments, whatever else differs), computation_changed (inputs and constructor
--         arguments are equal, the rest is not). Null: cannot be told, since of one of the two only digests are known.
--         Of a workload that was never measured, inputs and named constructor arguments are known where it stands at
--         the newest revision; there arguments are compared by name, and only where all of the other's have one.
-- Note:   made anew at each publish: it hangs on modules alone, of which there are few.
create table if not exists workload_changes (
    workload_id varchar,
    other_workload_id varchar,
    level varchar,
    problem varchar,
    change varchar
);

delete from workload_changes;

insert into workload_changes by name
with
pinned as (
    select
        problem_versions.workload_id,
        pinned_problems.inputs,
        pinned_problems.axes,
        pinned_problems.scalars
    from pinned_problems
    inner join sources on pinned_problems.source = sources.source
    inner join problem_versions
        on
            pinned_problems.source = problem_versions.source
            and pinned_problems.level = problem_versions.level
            and pinned_problems.problem = problem_versions.problem
    where problem_versions.from_position < sources.revisions
    qualify row_number() over (
        partition by pinned_problems.source, pinned_problems.level, pinned_problems.problem
        order by problem_versions.from_position desc
    ) = 1
),

known as (
    select
        workload_id,
        level,
        problem,
        compute_digest,
        inputs,
        axes,
        scalars,
        init
    from workloads
    union all
    select
        problem_versions.workload_id,
        any_value(problem_versions.level) as level,
        any_value(problem_versions.problem) as problem,
        any_value(problem_versions.compute_digest) as compute_digest,
        any_value(pinned.inputs) as inputs,
        any_value(pinned.axes) as axes,
        any_value(pinned.scalars) as scalars,
        null as init
    from problem_versions
    anti join workloads on problem_versions.workload_id = workloads.workload_id
    left join pinned on problem_versions.workload_id = pinned.workload_id
    where problem_versions.workload_id is not null
    group by problem_versions.workload_id
),

read_inputs as (
    select
        *,
        from_json(inputs, '[{"dtype": "VARCHAR", "shape": ["VARCHAR"]}]') as read
    from known
),

sized as (
    select
        workload_id,
        level,
        problem,
        compute_digest,
        init,
        list_transform(
            read,
            lambda input: input['dtype'] || list_transform(
                input['shape'],
                lambda size: coalesce(try_cast(size as bigint), json_extract_string(axes, size)::bigint)
            )::varchar
        ) as shapes,
        list_sort(
            list_transform(json_keys(scalars), lambda name: name || '=' || json_extract_string(scalars, name))
        ) as named_arguments
    from read_inputs
),

paired as (
    select
        one.workload_id,
        other.workload_id as other_workload_id,
        one.level,
        one.problem,
        one.compute_digest = other.compute_digest as same_computation,
        one.shapes <> other.shapes as other_shapes,
        case
            when one.init is not null and other.init is not null then one.init <> other.init
            when one.named_arguments <> other.named_arguments then true
            when len(one.named_arguments) = json_array_length(coalesce(one.init, other.init)) then false
        end as other_arguments
    from sized as one
    inner join sized as other
        on
            one.level = other.level
            and one.problem = other.problem
            and one.workload_id <> other.workload_id
)

select
    workload_id,
    other_workload_id,
    level,
    problem,
    case
        when same_computation then 'inputs_redrawn'
        when other_shapes or other_arguments then 'inputs_changed'
        when not other_shapes and not other_arguments then 'computation_changed'
    end as change
from paired;
