-- explain_doubt: codes of a run's problem under which its figure would be possible on its GPU: hints, never bindings.
-- Grain:  code, other than the run's own, that was shown before the figure by the run's lineage or by upstream, where
--         its costs are known.
-- Reads:  runs, environments, gpus, problem_versions, workloads, meta.
-- Rule:   possible as run_floors judges below_floor, with the costs of that code: the mean is not under its arithmetic
--         at the fastest peak that the dtype permits, nor, where its bytes exceed the last cache, under its DRAM time.
--         Where it stood last, the run's own lineage first.
with
seen as (
    select
        versions.source,
        versions.workload_id,
        versions.from_revision,
        versions.from_at,
        versions.source = runs.source as of_its_lineage
    from runs
    left join meta on meta.key = 'upstream'
    inner join problem_versions as versions
        on
            runs.level = versions.level
            and runs.problem = versions.problem
            and runs.observed_at >= versions.from_at
    where
        runs.run_id = $run_id
        and versions.source in (runs.source, meta.value)
        and (versions.workload_id is distinct from runs.workload_id)
    qualify row_number() over (
        partition by versions.workload_id
        order by of_its_lineage desc, versions.from_at desc, versions.source asc
    ) = 1
),

costed as (
    select
        seen.*,
        workloads.code_digest,
        workloads.title,
        runs.mean_ns,
        gpus.last_cache_mb,
        workloads.parameter_bytes + workloads.input_bytes + workloads.output_bytes as moved_bytes,
        moved_bytes / gpus.dram_gb_per_s as dram_ns,
        workloads.flops / (
            1000 * case
                when coalesce(runs.precision, workloads.dtype) in ('bf16', 'fp16') then gpus.bf16_tflops
                when coalesce(runs.precision, workloads.dtype) not like '%fp64%'
                    then greatest(gpus.fp32_tflops, gpus.tf32_tflops)
            end
        ) as compute_ns
    from seen
    inner join workloads on seen.workload_id = workloads.workload_id
    inner join runs on runs.run_id = $run_id
    inner join environments on runs.environment_id = environments.environment_id
    inner join gpus on environments.known_as = gpus.hardware
)

select
    source,
    from_revision,
    from_at,
    code_digest,
    workload_id,
    greatest(dram_ns, compute_ns) as floor_ns
from costed
where
    dram_ns is not null
    and mean_ns >= compute_ns
    and (mean_ns >= dram_ns or moved_bytes <= last_cache_mb * 1048576)
order by of_its_lineage desc, from_at desc, code_digest asc
