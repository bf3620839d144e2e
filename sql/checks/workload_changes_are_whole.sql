-- workload_changes_are_whole: each pair of codes of one problem stands in both orders, with one answer, and codes of
-- equal computation differ at most in how inputs are drawn.
-- Grain:  pair that breaks this.
-- Reads:  workload_changes, problem_codes.
with
pairs as (
    select
        one.workload_id,
        other.workload_id as other_workload_id,
        one.compute_digest = other.compute_digest as same_computation
    from problem_codes as one
    inner join problem_codes as other
        on
            one.level = other.level
            and one.problem = other.problem
            and one.workload_id <> other.workload_id
)

select
    workload_changes.workload_id,
    workload_changes.other_workload_id,
    workload_changes.change
from workload_changes
left join workload_changes as turned
    on
        workload_changes.workload_id = turned.other_workload_id
        and workload_changes.other_workload_id = turned.workload_id
where
    turned.workload_id is null
    or (workload_changes.change is distinct from turned.change)
union all
select
    pairs.workload_id,
    pairs.other_workload_id,
    workload_changes.change
from pairs
left join workload_changes
    on
        pairs.workload_id = workload_changes.workload_id
        and pairs.other_workload_id = workload_changes.other_workload_id
where
    workload_changes.workload_id is null
    or (pairs.same_computation is null) <> (workload_changes.change is null)
    or pairs.same_computation <> (workload_changes.change = 'inputs_redrawn')
