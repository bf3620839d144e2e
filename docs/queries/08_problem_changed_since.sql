-- Which standing figures measure code that the repository has changed since? equivalent: it still computes the same.
select
    host,
    mode,
    level,
    problem,
    equivalent
from baselines
where
    present
    and list_contains(stale_reasons, 'problem_changed')
order by host, mode, level, problem;
