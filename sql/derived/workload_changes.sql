-- workload_changes: what differs between two codes of one problem. The one definition of what a change of code is.
-- Grain:  ordered pair of different codes of one level and problem, measured or not.
-- Reads:  problem_codes, input_sizes.
-- Rule:   the first that holds: inputs_redrawn (equal compute_digest), inputs_changed (other shapes or dtypes of
--         inputs, or other constructor arguments, whatever else differs), computation_changed (inputs and constructor
--         arguments are equal, the rest is not). Null: the
--         reader cannot tell what one of them declares.
-- Note:   made anew at each publish: it hangs on modules alone, of which there are few.
delete from workload_changes;

insert into workload_changes by name
with
sized as (
    select
        workload_id,
        level,
        problem,
        compute_digest,
        init,
        input_sizes(inputs, axes) as sizes
    from problem_codes
)

select
    one.workload_id,
    other.workload_id as other_workload_id,
    one.level,
    one.problem,
    case
        when one.compute_digest is null or other.compute_digest is null then null
        when one.compute_digest = other.compute_digest then 'inputs_redrawn'
        when one.sizes <> other.sizes or one.init <> other.init then 'inputs_changed'
        else 'computation_changed'
    end as change
from sized as one
inner join sized as other
    on
        one.level = other.level
        and one.problem = other.problem
        and one.workload_id <> other.workload_id;
