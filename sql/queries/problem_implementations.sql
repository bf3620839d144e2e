-- problem_implementations: the ways in which one problem was run.
-- Grain:  mode.
-- Reads:  implementations, runs.
select *
from implementations
where
    mode in (
        select mode
        from runs
        where
            level = $level
            and problem = $problem
    )
order by is_baseline desc, mode asc
