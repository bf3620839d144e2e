-- problem_coverage: on which GPUs one problem was measured, on an equivalent version, once, or never.
-- Grain:  source, GPU, status.
-- Reads:  coverage_cells, names_gpu.
-- Rule:   now, whatever moment is asked for: coverage speaks of the head.
select
    source,
    hardware,
    product,
    form_factor,
    memory_gb,
    status,
    count(*) as modes,
    list(distinct host order by host) filter (where host is not null) as hosts,
    min(observed_at) as first_observed_at,
    max(observed_at) as last_observed_at,
    max(withdrawn_at) as withdrawn_at
from coverage_cells($level, $problem)
where names_gpu(product, hardware, $gpu)
group by source, hardware, product, form_factor, memory_gb, status
order by
    source asc,
    case status when 'measured' then 1 when 'equivalent' then 2 when 'withdrawn' then 3 else 4 end asc,
    product asc,
    hardware asc
