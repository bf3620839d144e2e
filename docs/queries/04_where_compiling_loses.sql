-- Where is torch.compile slower than eager beyond doubt: second, and not sharing the first rank?
select
    host,
    level,
    problem,
    vs_baseline
from baselines
where
    present
    and not is_baseline
    and rank_shared > 1
order by vs_baseline asc, host asc, level asc, problem asc
limit 10;
