-- How fast does PyTorch run this problem on this machine, and which way of running it is fastest?
-- Ranks with equal rank_shared cannot be told apart: their intervals overlap.
select
    rank,
    rank_shared,
    implementation,
    mean_ms,
    ci95_half_ms,
    num_trials,
    vs_first,
    vs_baseline,
    observed_at
from baselines
where
    present
    and level = 'level3'
    and problem = '28_VisionTransformer.py'
    and host = 'H100_Modal'
order by rank;
