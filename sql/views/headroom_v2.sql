-- headroom_v2: the floor under a record: parameters, inputs and outputs once over DRAM, and traced arithmetic.
-- Grain:  cohort.
-- Reads:  record_holders, run_floors.
-- Rule:   an estimate, not evidence. The floor is the longer of the DRAM time and the arithmetic at the fastest peak
--         that the dtype permits (macros/run_floors.sql). Null where the module was not traced, the GPU is unknown
--         or its datasheet has no such figure: never a guess.
--         faster_than_floor: below the arithmetic at that peak; or below the DRAM time where the bytes exceed the last
--         cache before memory (1 MB = 2^20 bytes), or the timing scripts declared when the figures first appeared are
--         known to clear the L2 cache between trials. Where they are not, what fits into the caches may come from them.
--         Null where it cannot be said.
create or replace view headroom_v2 as
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
    parameter_bytes,
    input_bytes,
    output_bytes,
    moved_bytes as bytes,
    traced_flops as flops,
    not_traced,
    dram_gb_per_s,
    last_cache_mb,
    harness_l2_cleared,
    fp32_tflops,
    tf32_tflops,
    peak_tflops,
    dram_ns,
    fp32_ns,
    tf32_ns,
    compute_ns,
    floor_ns,
    case when floor_ns > dram_ns then 'compute' when floor_ns = dram_ns then 'bandwidth' end as bound,
    mean_ns / floor_ns as ratio,
    below_floor or (mean_ns < dram_ns and coalesce(harness_l2_cleared, false)) as faster_than_floor,
    'headroom-v2' as policy,
    'A lower bound from traced arithmetic, traced tensors and datasheet peaks: an estimate, not evidence. A kernel can '
    || 'sit well above it for good reasons.' as policy_text,
    [
        'parameters, inputs and outputs cross DRAM exactly once each, intermediate results never '
        || coalesce(
            format('({:,} GB/s, {} datasheet)', round(dram_gb_per_s)::bigint, concat_ws(' ', product, form_factor)),
            '(no datasheet bandwidth of this GPU is known)'
        ),
        case
            when traced_flops is null then 'bytes and arithmetic unknown, module not traced (' || not_traced || ')'
            when peak_tflops is null then 'no datasheet peak for ' || dtype || ' on this GPU'
            else format('{:,.1f} TFLOP/s, the fastest dense peak that {} permits', peak_tflops, dtype)
        end,
        'arithmetic as the module states it, a multiply-add as two operations; another algorithm may need fewer',
        case
            when harness_l2_cleared
                then
                    'the timing scripts declared then clear the L2 cache between trials'
                    || coalesce(format(' (last cache {:,.0f} MB)', last_cache_mb), '')
            else
                'caches are not known to be cleared between trials: '
                || coalesce(
                    format('what fits into the last one ({:,.0f} MB) may come from it', last_cache_mb),
                    'the size of the last one is unknown'
                )
        end
    ] as assumptions
from run_floors(record_holders);
