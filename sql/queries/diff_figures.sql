-- diff_figures: the figures of a source that differ between two of its positions.
-- Grain:  host, hardware, mode, level, problem that came, went or changed.
-- Reads:  figures_between, runs, environments, workloads, names_gpu, problem_number.
-- Rule:   changed ones first, the largest change either way first.
select figures.*
from figures_between($source, $before, $after) as figures
inner join runs on runs.run_id = coalesce(figures.after_run_id, figures.before_run_id)
inner join environments on runs.environment_id = environments.environment_id
left join workloads on runs.workload_id = workloads.workload_id
where
    figures.what <> 'same'
    and ($host is null or figures.host = $host)
    and ($level is null or figures.level = $level)
    and ($mode is null or figures.mode = $mode)
    and ($family is null or workloads.family = $family)
    and names_gpu(environments.product, environments.hardware, $gpu)
order by
    greatest(figures.ratio, 1 / figures.ratio) desc nulls last,
    figures.what asc,
    figures.host asc,
    figures.hardware asc,
    figures.mode asc,
    figures.level asc,
    problem_number(figures.problem) asc,
    figures.problem asc
