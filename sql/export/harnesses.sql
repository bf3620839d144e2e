-- harnesses: the rows of harnesses in the order in which a snapshot holds them.
-- Grain:  as harnesses.
-- Reads:  harnesses.
select *
from harnesses
order by harness_digest
