-- diff_summary: how many figures of a source came, went and changed between two of its positions.
-- Grain:  host, hardware, mode.
-- Reads:  figures_between, runs, environments, workloads, names_gpu.
select
    figures.host,
    figures.hardware,
    figures.mode,
    count(*) filter (where figures.what = 'same') as same,
    count(*) filter (where figures.what = 'new') as new,
    count(*) filter (where figures.what = 'gone') as gone,
    count(*) filter (where figures.what = 'changed') as changed,
    count(*) filter (where figures.reason = 'measured_again') as measured_again,
    count(*) filter (where figures.reason = 'inputs_redrawn') as inputs_redrawn,
    count(*) filter (where figures.reason = 'inputs_changed') as inputs_changed,
    count(*) filter (where figures.reason = 'computation_changed') as computation_changed,
    count(*) filter (where figures.what = 'changed' and figures.beyond_interval) as beyond_interval,
    median(figures.ratio) filter (where figures.what = 'changed') as median_ratio
from figures_between($source, $before, $after) as figures
inner join runs on runs.run_id = coalesce(figures.after_run_id, figures.before_run_id)
inner join environments on runs.environment_id = environments.environment_id
left join workloads on runs.workload_id = workloads.workload_id
where
    ($host is null or figures.host = $host)
    and ($level is null or figures.level = $level)
    and ($mode is null or figures.mode = $mode)
    and ($family is null or workloads.family = $family)
    and names_gpu(environments.product, environments.hardware, $gpu)
group by figures.host, figures.hardware, figures.mode
order by figures.host asc, figures.hardware asc, figures.mode asc
