-- problem_floors: the floors under the records of one problem.
-- Grain:  cohort, policy.
-- Reads:  headroom_v1, headroom_v2.
select
    cohort_id,
    policy,
    floor_ns,
    bound,
    ratio,
    bytes,
    flops,
    dram_ns,
    null as fp32_ns,
    null as tf32_ns,
    compute_ns,
    false as faster_than_floor,
    policy_text,
    assumptions
from headroom_v1
where
    level = $level
    and problem = $problem
union all by name
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
from headroom_v2
where
    level = $level
    and problem = $problem
order by cohort_id asc, policy asc
