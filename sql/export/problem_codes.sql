-- problem_codes: the rows of problem_codes in the order in which a snapshot holds them.
-- Grain:  as problem_codes.
-- Reads:  problem_codes.
select *
from problem_codes
order by workload_id
