-- record_history: the rows of record_history in the order in which a snapshot holds them.
-- Grain:  as record_history.
-- Reads:  record_history.
select *
from record_history
order by cohort_id, position
