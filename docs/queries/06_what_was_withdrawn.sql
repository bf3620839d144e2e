-- Which figures were taken away, and when?
select
    withdrawn_at,
    host,
    count(*) as runs
from baselines
where not present and reachable
group by withdrawn_at, host
order by withdrawn_at, host;
