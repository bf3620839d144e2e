-- coverage_by_gpu: how much of the problems at head was measured on each GPU in each mode.
-- Grain:  source, GPU, mode.
-- Reads:  coverage, names_gpu.
select
    source,
    hardware,
    product,
    form_factor,
    memory_gb,
    mode,
    count(*) as problems,
    count(*) filter (where status = 'measured') as measured,
    count(*) filter (where status = 'equivalent') as equivalent,
    count(*) filter (where status = 'withdrawn') as withdrawn,
    count(*) filter (where status = 'not_measured') as not_measured
from coverage
where
    names_gpu(product, hardware, $gpu)
    and ($level is null or level = $level)
    and ($mode is null or mode = $mode)
group by all
order by source asc, measured desc, equivalent desc, product asc, hardware asc, mode asc
