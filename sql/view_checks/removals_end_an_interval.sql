-- removals_end_an_interval: a removal is the end of an interval of presence, and nothing took the figure's place; and
-- each interval that ended so is a removal.
-- Grain:  removal or run that breaks this.
-- Reads:  removals, presence, runs.
with
ended as (
    select
        presence.run_id,
        presence.until_position,
        runs.source,
        runs.host,
        runs.mode,
        runs.level,
        runs.problem
    from presence
    inner join runs on presence.run_id = runs.run_id
    where presence.until_position is not null
),

replaced as (
    select distinct
        runs.source,
        runs.host,
        runs.mode,
        runs.level,
        runs.problem,
        presence.from_position
    from presence
    inner join runs on presence.run_id = runs.run_id
),

expected as (
    select
        ended.run_id,
        ended.until_position
    from ended
    anti join replaced
        on
            ended.source = replaced.source
            and ended.host = replaced.host
            and ended.mode = replaced.mode
            and ended.level = replaced.level
            and ended.problem = replaced.problem
            and ended.until_position = replaced.from_position
)

select
    coalesce(removals.run_id, expected.run_id) as run_id,
    removals.removed_position,
    expected.until_position
from removals
full join expected
    on
        removals.run_id = expected.run_id
        and removals.removed_position = expected.until_position
where
    removals.run_id is null
    or expected.run_id is null
    or removals.returned_at < removals.removed_at
    or (removals.returned_at is null) <> (removals.gap_days is null)
