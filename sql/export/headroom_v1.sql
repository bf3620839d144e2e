-- headroom_v1: the rows of headroom_v1 in the order in which a snapshot holds them.
-- Grain:  as headroom_v1.
-- Reads:  headroom_v1.
select *
from headroom_v1
order by cohort_id
