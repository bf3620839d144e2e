-- coverage: the rows of coverage in the order in which a snapshot holds them.
-- Grain:  as coverage.
-- Reads:  coverage.
select *
from coverage
order by source, level, problem, hardware, mode
