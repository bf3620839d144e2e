-- problem_floors: the floors under the records of one problem.
-- Grain:  cohort, policy.
-- Reads:  headroom_v1, headroom_v2.
-- Rule:   the traced floor first. What only the other policy knows is null.
select
    cohort_id,
    policy,
    floor_ns,
    bound,
    ratio,
    bytes,
    flops,
    dram_ns,
    fp32_ns,
    tf32_ns,
    compute_ns,
    faster_than_floor,
    policy_text,
    assumptions
from (
    select *
    from headroom_v1
    union all by name
    select *
    from headroom_v2
) as floors
where
    level = $level
    and problem = $problem
order by cohort_id asc, policy desc
