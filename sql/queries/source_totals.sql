-- source_totals: how much of one source the warehouse holds.
-- Grain:  one row.
-- Reads:  runs, quarantine, files.
select
    count(*) as runs,
    count(*) filter (where present) as present,
    count(*) filter (where not reachable) as unreachable,
    count(*) filter (where not eligible) as ineligible,
    count(distinct host) as hosts,
    count(distinct cohort_id) filter (where eligible) as cohorts,
    (
        select count(*)
        from quarantine
        where source = $source and problem_key is not null
    ) as entries_refused,
    (
        select count(*)
        from quarantine
        where source = $source and problem_key is null
    ) as files_refused
from runs
where source = $source
