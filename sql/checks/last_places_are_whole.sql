-- last_places_are_whole: exactly the eligible runs that stand no more, each once; the place is within the cohort then.
-- Grain:  run that breaks this.
-- Reads:  last_places, runs, presence.
with
gone as (
    select
        run_id,
        cohort_id
    from runs
    where eligible and not present and run_id in (select run_id from presence)
),

counted as (
    select
        *,
        count(*) over (partition by run_id) as times
    from last_places
)

select
    run_id,
    counted.cohort_id,
    counted.rank
from counted
full join gone using (run_id)
where
    counted.cohort_id is distinct from gone.cohort_id
    or counted.times > 1
    or counted.rank > counted.cohort_size
    or counted.rank_shared > counted.rank
    or counted.vs_first < 1
    or (counted.rank = 1 and counted.vs_first <> 1)
