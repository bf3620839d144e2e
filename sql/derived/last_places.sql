-- last_places: the place of each run that no longer stands, at the last moment when it did.
-- Grain:  eligible run that is not present any more.
-- Reads:  runs, presence, places_among, touched, eligibility.
-- Ties:   as in ranked.
delete from last_places
where cohort_id in (select cohort_id from touched_cohorts);

insert into last_places by name
with
intervals as (
    select presence.*
    from presence
    inner join runs on presence.run_id = runs.run_id
    semi join touched_cohorts on runs.cohort_id = touched_cohorts.cohort_id
)

select *
from places_among(intervals);
