-- gaps: what is not measured as it is now, the most useful first, with the command that would fill it.
-- Grain:  computation at head, GPU, mode that is not measured.
-- Reads:  coverage, names_gpu.
-- Rule:   at_head_of: the lineages whose head shows the computation; source: that of the run the cell rests on.
--         matching: how many there are in all.
select
    gap_rank,
    level,
    problem,
    title,
    computation,
    sources as at_head_of,
    hardware,
    product,
    form_factor,
    memory_gb,
    mode,
    implementation,
    status,
    source,
    run_id,
    host,
    mean_ns,
    observed_at,
    command,
    count(*) over () as matching
from coverage
where
    gap_rank is not null
    and names_gpu(product, hardware, $gpu)
    and ($source is null or list_contains(sources, $source))
    and ($level is null or level = $level)
    and ($mode is null or mode = $mode)
    and ($family is null or family = $family)
order by gap_rank asc
limit $at_most
