-- presence_is_whole: every run was present once at least, its intervals do not touch, and present is what the last of
-- them says; a run that is not reachable any more is present at no revision of the history of now.
-- Grain:  run whose presence does not agree with it.
-- Reads:  runs, presence.
with
intervals as (
    select
        run_id,
        from_position,
        from_at,
        until_position,
        lead(from_position) over (partition by run_id order by from_position) as next_from_position
    from presence
),

summed as (
    select
        run_id,
        min(from_at) as began_at,
        bool_or(until_position is null) as stands,
        bool_or(coalesce(until_position, 9223372036854775807) <= from_position) as backwards,
        bool_or(next_from_position is not null and (until_position is null or until_position >= next_from_position))
            as collides
    from intervals
    group by run_id
)

select
    run_id,
    runs.present,
    summed.*
from runs
full join summed using (run_id)
where
    runs.run_id is null
    or (runs.reachable <> (summed.stands is not null))
    or summed.stands <> runs.present
    or summed.began_at > runs.observed_at
    or summed.backwards
    or summed.collides
