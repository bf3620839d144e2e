-- problems: the rows of problems in the order in which a snapshot holds them.
-- Grain:  as problems.
-- Reads:  problems.
select *
from problems
order by source, level, problem
