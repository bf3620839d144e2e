-- workload_changes: what differs between two codes of one problem. The one definition of what a change of code is.
-- Grain:  ordered pair of different codes of one level and problem, measured or not.
-- Reads:  problem_codes.
-- Rule:   the first that holds: inputs_redrawn (equal compute_digest), inputs_changed (other shapes or dtypes of
--         inputs, or other constructor arguments, whatever else differs), computation_changed (inputs and constructor
--         arguments are equal, the rest is not).
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
read_inputs as (
    select
        *,
        from_json(inputs, '[{"dtype": "VARCHAR", "shape": ["VARCHAR"]}]') as read
    from problem_codes
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
        ) as shapes
    from read_inputs
)

select
    one.workload_id,
    other.workload_id as other_workload_id,
    one.level,
    one.problem,
    case
        when one.compute_digest = other.compute_digest then 'inputs_redrawn'
        when one.shapes <> other.shapes or one.init <> other.init then 'inputs_changed'
        else 'computation_changed'
    end as change
from sized as one
inner join sized as other
    on
        one.level = other.level
        and one.problem = other.problem
        and one.workload_id <> other.workload_id;
