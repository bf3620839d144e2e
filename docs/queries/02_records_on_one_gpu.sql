-- Who holds the standing records on one GPU, the largest gains over eager first?
select
    level,
    problem,
    host,
    mode,
    mean_ns / 1e6::double as mean_ms,
    vs_baseline
from records
where
    present
    and hardware = 'NVIDIA H100 80GB HBM3'
order by vs_baseline desc, level asc, problem asc, host asc
limit 10;
