-- Does torch.compile pay? Per machine: how many problems, how many of them faster than eager, and the median ratio.
-- Each ratio compares two runs of one cohort; the median describes them, it ranks nothing.
select
    host,
    mode,
    count(*) as problems,
    count(*) filter (where vs_baseline > 1) as faster,
    median(vs_baseline) as median_vs_eager
from baselines
where
    present
    and not is_baseline
group by host, mode
order by host, mode;
