-- records: the rows of records in the order in which a snapshot holds them.
-- Grain:  as records.
-- Reads:  records.
select *
from records
order by cohort_id
