-- gaps: what is not measured as it is now, the most useful first, with the command that would fill it.
-- Grain:  source, problem at head, GPU, mode that is not measured.
-- Reads:  coverage, names_gpu.
select
    source,
    gap_rank,
    level,
    problem,
    title,
    hardware,
    product,
    form_factor,
    memory_gb,
    mode,
    implementation,
    status,
    run_id,
    host,
    mean_ns,
    observed_at,
    command
from coverage
where
    gap_rank is not null
    and names_gpu(product, hardware, $gpu)
    and ($level is null or level = $level)
    and ($mode is null or mode = $mode)
order by gap_rank asc, source asc
limit $at_most
