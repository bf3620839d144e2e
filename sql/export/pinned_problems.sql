-- pinned_problems: the rows of pinned_problems in the order in which a snapshot holds them.
-- Grain:  as pinned_problems.
-- Reads:  pinned_problems.
select *
from pinned_problems
order by source, level, problem
