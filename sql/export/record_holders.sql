-- record_holders: the rows of record_holders in the order in which a snapshot holds them.
-- Grain:  as record_holders.
-- Reads:  record_holders.
select *
from record_holders
order by cohort_id
