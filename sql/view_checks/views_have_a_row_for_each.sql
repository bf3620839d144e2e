-- views_have_a_row_for_each: staleness and baselines have one row per run, records one per cohort that has a holder.
-- Grain:  view that has another number.
-- Reads:  runs, staleness, baselines, records, record_holders.
select *
from (
    select
        'staleness' as name,
        (select count(*) from staleness) as found,
        (select count(*) from runs) as expected
    union all
    select
        'baselines' as name,
        (select count(*) from baselines) as found,
        (select count(*) from runs) as expected
    union all
    select
        'records' as name,
        (select count(*) from records) as found,
        (select count(*) from record_holders) as expected
) as counted
where found <> expected
