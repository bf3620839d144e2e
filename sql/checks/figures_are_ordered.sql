-- figures_are_ordered: the interval surrounds the mean, and the mean lies between the extremes within rounding.
-- Grain:  run that contradicts itself.
-- Reads:  runs.
select
    run_id,
    min_ns,
    ci95_low_ns,
    mean_ns,
    ci95_high_ns,
    max_ns,
    rounding_ns
from runs
where
    ci95_high_ns < mean_ns
    or least(mean_ns, min_ns) > ci95_low_ns
    or min_ns > max_ns
    or (ci95_low_ns > mean_ns and min_ns <= mean_ns)
