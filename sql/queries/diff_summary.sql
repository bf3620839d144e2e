-- diff_summary: how many figures of a source came, went and changed between two of its positions.
-- Grain:  host, hardware, mode.
-- Reads:  figures_between.
select
    host,
    hardware,
    mode,
    count(*) filter (where what = 'same') as same,
    count(*) filter (where what = 'new') as new,
    count(*) filter (where what = 'gone') as gone,
    count(*) filter (where what = 'changed') as changed,
    count(*) filter (where reason = 'measured_again') as measured_again,
    count(*) filter (where reason = 'inputs_redrawn') as inputs_redrawn,
    count(*) filter (where reason = 'inputs_changed') as inputs_changed,
    count(*) filter (where reason = 'computation_changed') as computation_changed,
    count(*) filter (where what = 'changed' and beyond_interval) as beyond_interval,
    median(ratio) filter (where what = 'changed') as median_ratio
from figures_between($source, $before, $after)
where
    ($host is null or host = $host)
    and ($level is null or level = $level)
group by host, hardware, mode
order by host asc, hardware asc, mode asc
