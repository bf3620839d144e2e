-- problem_versions: the rows of problem_versions in the order in which a snapshot holds them.
-- Grain:  as problem_versions.
-- Reads:  problem_versions.
select *
from problem_versions
order by source, level, problem, from_position
