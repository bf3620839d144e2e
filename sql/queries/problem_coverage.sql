-- problem_coverage: on which GPUs one problem was measured, on an equivalent version, once, or never.
-- Grain:  computation at the head of a source, GPU, status.
-- Reads:  coverage_cells, names_gpu.
-- Rule:   now, whatever moment is asked for: coverage speaks of the head. at_head_of: the lineages whose head shows the
--         computation; measured_by: those of the runs that the cells rest on. With $source, what its head shows.
select
    computation,
    sources as at_head_of,
    hardware,
    product,
    form_factor,
    memory_gb,
    status,
    count(*) as modes,
    list(distinct host order by host) filter (where host is not null) as hosts,
    list(distinct source order by source) filter (where source is not null) as measured_by,
    min(observed_at) as first_observed_at,
    max(observed_at) as last_observed_at,
    max(withdrawn_at) as withdrawn_at
from coverage_cells($level, $problem)
where
    names_gpu(product, hardware, $gpu)
    and ($mode is null or mode = $mode)
    and ($source is null or list_contains(sources, $source))
group by computation, sources, hardware, product, form_factor, memory_gb, status
order by
    len(sources) desc,
    computation asc,
    case status when 'measured' then 1 when 'equivalent' then 2 when 'withdrawn' then 3 else 4 end asc,
    product asc,
    hardware asc
