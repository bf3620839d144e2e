-- Which standing figures vary most from trial to trial?
select
    host,
    mode,
    level,
    problem,
    std_ns / mean_ns as relative_std,
    list_contains(flags, 'noisy') as is_flagged
from baselines
where present
order by relative_std desc, host asc, mode asc, level asc, problem asc
limit 10;
