-- coverage_by_gpu: how much of the computations at head was measured on each GPU in each mode.
-- Grain:  GPU, mode.
-- Reads:  coverage, names_gpu.
-- Rule:   a problem that heads of several lineages show with equal computation counts once, with other computations as
--         often as there are. measured_by: the lineages of the runs that cells rest on. With $source, what its head
--         shows, whoever measured it.
select
    hardware,
    product,
    form_factor,
    memory_gb,
    mode,
    count(distinct level || '/' || problem) as problems,
    count(*) as computations,
    count(*) filter (where status = 'measured') as measured,
    count(*) filter (where status = 'equivalent') as equivalent,
    count(*) filter (where status = 'withdrawn') as withdrawn,
    count(*) filter (where status = 'not_measured') as not_measured,
    coalesce(list(distinct source order by source) filter (where source is not null), []) as measured_by
from coverage
where
    names_gpu(product, hardware, $gpu)
    and ($source is null or list_contains(sources, $source))
    and ($level is null or level = $level)
    and ($mode is null or mode = $mode)
    and ($family is null or family = $family)
group by hardware, product, form_factor, memory_gb, mode
order by measured desc, equivalent desc, product asc, hardware asc, mode asc
