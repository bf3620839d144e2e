-- run_floors: what the floors under a figure are worked out from (bytes, arithmetic, peaks), and the traced one.
-- Grain:  run of a known module, among those of a relation that is given by name and has the column run_id.
-- Reads:  runs, environments, workloads, gpus, revisions, harnesses, input_sizes.
-- Rule:   declared_bytes are those of the declared inputs. formula_flops only for the families gemm (2 B M N K: axes m,
--         n, k and B from batch or batch_size, else 1; without these axes M, K and N are the last two dimensions of the
--         first two inputs and B is 1) and attention (4 B H Lq Lk D: axes batch_size, num_heads, sequence_length,
--         embedding_dimension). moved_bytes and traced_flops are those of the traced module. peak_tflops: the fastest
--         dense datasheet peak that the dtype permits (fp32: also TF32; fp16: as bf16; fp64: no figure); the
--         precision of the entry goes before what the module declares. dram_ns, fp32_ns, tf32_ns and compute_ns are
--         the traced bytes and arithmetic over those figures. below_floor: faster than the arithmetic, or than DRAM
--         though the bytes exceed the last cache. Null where the GPU is unknown or its datasheet has no such figure:
--         never a guess.
create or replace macro run_floors(measured) as table
    with
    read_inputs as (
        select
            workload_id,
            family,
            axes,
            input_sizes(inputs, axes) as inputs
        from workloads
    ),

    sized as (
        select
            workload_id,
            family,
            axes,
            list_transform(inputs, lambda input: input['dtype']) as dtypes,
            list_transform(inputs, lambda input: input['sizes']) as shapes
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

    known as (
        select
            runs.cohort_id,
            runs.run_id,
            runs.present,
            runs.source,
            runs.host,
            runs.host_title,
            runs.hardware,
            runs.gpu,
            gpus.product,
            gpus.form_factor,
            runs.level,
            runs.problem,
            runs.problem_number,
            workloads.title,
            workloads.family,
            runs.mode,
            runs.path,
            runs.blob,
            runs.mean_ns,
            coalesce(runs.precision, worked.dtype) as dtype,
            worked.bytes as declared_bytes,
            worked.flops as formula_flops,
            workloads.parameter_bytes,
            workloads.input_bytes,
            workloads.output_bytes,
            workloads.parameter_bytes + workloads.input_bytes + workloads.output_bytes as moved_bytes,
            workloads.flops as traced_flops,
            workloads.not_traced,
            gpus.dram_gb_per_s,
            gpus.last_cache_mb,
            gpus.fp32_tflops,
            gpus.tf32_tflops,
            case coalesce(runs.precision, worked.dtype)
                when 'fp32' then greatest(gpus.fp32_tflops, gpus.tf32_tflops)
                when 'fp16' then gpus.bf16_tflops
                when 'bf16' then gpus.bf16_tflops
            end as peak_tflops,
            harnesses.l2_cleared as harness_l2_cleared
        from query_table(measured) as measured_runs
        inner join runs on measured_runs.run_id = runs.run_id
        inner join workloads on runs.workload_id = workloads.workload_id
        inner join worked on runs.workload_id = worked.workload_id
        inner join environments on runs.environment_id = environments.environment_id
        left join gpus on environments.known_as = gpus.hardware
        left join revisions
            on
                runs.source = revisions.source
                and runs.first_revision = revisions.revision
        left join harnesses on revisions.harness_digest = harnesses.harness_digest
    ),

    timed as (
        select
            *,
            moved_bytes / dram_gb_per_s as dram_ns,
            traced_flops / (fp32_tflops * 1000) as fp32_ns,
            traced_flops / (tf32_tflops * 1000) as tf32_ns,
            traced_flops / (peak_tflops * 1000) as compute_ns
        from known
    )

    select
        *,
        case when dram_ns is not null and compute_ns is not null then greatest(dram_ns, compute_ns) end as floor_ns,
        mean_ns < compute_ns
        or (mean_ns < dram_ns and moved_bytes > last_cache_mb * 1048576) as below_floor
    from timed;
