-- floors: the floors under the record of one cohort.
-- Grain:  policy.
-- Reads:  headroom_v1, headroom_v2.
select
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
where cohort_id = $cohort_id
union all by name
select
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
where cohort_id = $cohort_id
order by policy asc
