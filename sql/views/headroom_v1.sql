-- headroom_v1: the floor under a record as the public index states it: declared inputs once over DRAM.
-- Grain:  cohort.
-- Reads:  record_holders, runs, workloads, gpus.
-- Rule:   an estimate, not evidence. Bytes are those of the declared inputs. Arithmetic only for the families gemm
--         (2 B M N K: axes m, n, k and B from batch or batch_size, else 1; without these axes M, K and N are the last
--         two dimensions of the first two inputs and B is 1) and attention (4 B H Lq Lk D: axes batch_size, num_heads,
--         sequence_length, embedding_dimension), at the fastest datasheet peak that the dtype permits (fp32: also TF32;
--         fp16: as bf16; fp64: no figure). The floor is the longer of the two times. Null where the GPU is unknown or
--         its datasheet has no such figure: never a guess.
create or replace view headroom_v1 as
with
read_inputs as (
    select
        workload_id,
        family,
        axes,
        from_json(inputs, '[{"dtype": "VARCHAR", "shape": ["VARCHAR"]}]') as inputs
    from workloads
),

sized as (
    select
        workload_id,
        family,
        axes,
        list_transform(inputs, lambda input: input['dtype']) as dtypes,
        list_transform(
            inputs,
            lambda input: list_transform(
                input['shape'],
                lambda size: coalesce(try_cast(size as bigint), json_extract_string(axes, size)::bigint)
            )
        ) as shapes
    from read_inputs
),

declared as (
    select
        workload_id,
        family,
        case
            when list_contains(dtypes, 'fp64') then 'fp64'
            when list_contains(dtypes, 'bf16') then 'bf16'
            when list_contains(dtypes, 'fp16') then 'fp16'
            else 'fp32'
        end as dtype,
        list_sum(
            list_transform(
                list_zip(dtypes, shapes),
                lambda input: list_product(input[2]) * case
                    when input[1] in ('fp64', 'int64') then 8
                    when input[1] in ('fp32', 'int32') then 4
                    when input[1] in ('fp16', 'bf16') then 2
                    when input[1] = 'bool' then 1
                end
            )
        )::bigint as bytes,
        coalesce(axes ->> 'batch', axes ->> 'batch_size', '1')::double
        * (axes ->> 'm')::double * (axes ->> 'n')::double * (axes ->> 'k')::double as axes_bmnk,
        case
            when len(shapes[1]) >= 2 and len(shapes[2]) >= 2
                then shapes[1][-2]::double * shapes[1][-1] * shapes[2][-1]
        end as shapes_mnk,
        (axes ->> 'batch_size')::double * (axes ->> 'num_heads')::double
        * (axes ->> 'sequence_length')::double * (axes ->> 'sequence_length')::double
        * (axes ->> 'embedding_dimension')::double as axes_bhlld
    from sized
),

worked as (
    select
        workload_id,
        dtype,
        bytes,
        case family
            when 'gemm' then 2 * coalesce(axes_bmnk, shapes_mnk)
            when 'attention' then 4 * axes_bhlld
        end::bigint as flops
    from declared
),

timed as (
    select
        record_holders.cohort_id,
        record_holders.run_id,
        record_holders.present,
        runs.source,
        runs.host,
        runs.hardware,
        gpus.product,
        gpus.form_factor,
        runs.level,
        runs.problem,
        workloads.title,
        workloads.family,
        runs.mode,
        runs.mean_ns,
        worked.dtype,
        worked.bytes,
        worked.flops,
        gpus.dram_gb_per_s,
        case worked.dtype
            when 'fp32' then greatest(gpus.fp32_tflops, gpus.tf32_tflops)
            when 'fp16' then gpus.bf16_tflops
            when 'bf16' then gpus.bf16_tflops
        end as peak_tflops
    from record_holders
    inner join runs on record_holders.run_id = runs.run_id
    inner join workloads on runs.workload_id = workloads.workload_id
    inner join worked on runs.workload_id = worked.workload_id
    left join gpus on runs.hardware = gpus.hardware
),

floored as (
    select
        *,
        bytes / dram_gb_per_s as dram_ns,
        flops / (peak_tflops * 1000) as compute_ns,
        case
            when dram_gb_per_s is not null
                then greatest(bytes / dram_gb_per_s, coalesce(flops / (peak_tflops * 1000), 0))
        end as floor_ns
    from timed
)

select
    cohort_id,
    run_id,
    source,
    host,
    hardware,
    product,
    form_factor,
    level,
    problem,
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
            format('({:,} GB/s, {} {} datasheet)', round(dram_gb_per_s)::bigint, product, form_factor),
            '(no datasheet bandwidth of this GPU is known)'
        ),
        case
            when flops is null then 'no arithmetic formula for this family: bandwidth floor only'
            when compute_ns is null then 'no datasheet peak for ' || dtype || ' on this GPU: bandwidth floor only'
            else format('{:,.1f} TFLOP/s, the fastest dense peak that {} permits', peak_tflops, dtype)
        end
    ] as assumptions
from floored;
