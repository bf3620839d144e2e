-- headroom_v2: the rows of headroom_v2 in the order in which a snapshot holds them.
-- Grain:  as headroom_v2.
-- Reads:  headroom_v2.
select *
from headroom_v2
order by cohort_id
