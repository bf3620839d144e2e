-- quarantine: the rows of quarantine in the order in which a snapshot holds them.
-- Grain:  as quarantine.
-- Reads:  quarantine.
select *
from quarantine
order by source, host, mode, level, problem_key, reason
