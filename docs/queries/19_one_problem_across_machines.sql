-- What did eager take for this problem on each machine? Side by side, not a ranking: other machines are other cohorts.
select
    host,
    hardware,
    mean_ms,
    observed_at,
    present
from baselines
where
    is_baseline
    and level = 'level3'
    and problem = '28_VisionTransformer.py'
order by host, observed_at, mean_ms;
