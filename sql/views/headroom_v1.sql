-- headroom_v1: the floor under a record as the public index states it: declared inputs once over DRAM.
-- Grain:  cohort.
-- Reads:  record_holders, run_floors.
-- Rule:   an estimate, not evidence. Bytes are those of the declared inputs; arithmetic only for the families gemm and
--         attention, by formula, at the fastest peak that the dtype permits (both: macros/run_floors.sql). The floor
--         is the longer of the two times. Null where the GPU is unknown or its datasheet has no such figure: never a
--         guess.
create or replace view headroom_v1 as
with
timed as (
    select
        * exclude (dram_ns, compute_ns, floor_ns),
        declared_bytes as bytes,
        formula_flops as flops,
        declared_bytes / dram_gb_per_s as dram_ns,
        formula_flops / (peak_tflops * 1000) as compute_ns
    from run_floors(record_holders)
),

floored as (
    select
        *,
        case when dram_ns is not null then greatest(dram_ns, coalesce(compute_ns, 0)) end as floor_ns
    from timed
)

select
    cohort_id,
    run_id,
    source,
    host,
    host_title,
    hardware,
    gpu,
    product,
    form_factor,
    level,
    problem,
    problem_number,
    title,
    family,
    mode,
    present,
    mean_ns,
    dtype,
    bytes,
    flops,
    dram_gb_per_s,
    peak_tflops,
    dram_ns,
    compute_ns,
    floor_ns,
    case when floor_ns > dram_ns then 'compute' when floor_ns = dram_ns then 'bandwidth' end as bound,
    mean_ns / floor_ns as ratio,
    'headroom-v1' as policy,
    'A lower bound from declared tensors and datasheet peaks: an estimate, not evidence. A kernel can sit well above '
    || 'it for good reasons.' as policy_text,
    [
        'every declared tensor crosses DRAM exactly once '
        || coalesce(
            format('({:,} GB/s, {} datasheet)', round(dram_gb_per_s)::bigint, concat_ws(' ', product, form_factor)),
            '(no datasheet bandwidth of this GPU is known)'
        ),
        case
            when flops is null then 'no arithmetic formula for this family: bandwidth floor only'
            when compute_ns is null then 'no datasheet peak for ' || dtype || ' on this GPU: bandwidth floor only'
            else format('{:,.1f} TFLOP/s, the fastest dense peak that {} permits', peak_tflops, dtype)
        end
    ] as assumptions
from floored;
