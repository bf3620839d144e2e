-- removals: figures that were taken away with none put in their place.
-- Grain:  run, revision that no longer shows it.
-- Reads:  runs, presence, revisions.
-- Rule:   a figure is known by source, host, mode, level and problem: replaced by another one in the same revision,
--         also of another GPU, it was not taken away. returned: the next revision that shows any figure in its place.
--         whole_file: no figure of its host and mode was present any more.
create or replace view removals as
with
intervals as (
    select
        runs.run_id,
        runs.source,
        runs.host,
        runs.host_title,
        runs.hardware,
        runs.gpu,
        runs.mode,
        runs.level,
        runs.problem,
        runs.problem_number,
        runs.mean_ns,
        presence.from_at,
        presence.from_position,
        presence.until_position,
        lead(presence.from_position) over (
            partition by runs.source, runs.host, runs.mode, runs.level, runs.problem
            order by presence.from_position
        ) as next_position
    from runs
    inner join presence on runs.run_id = presence.run_id
),

gone as (
    select *
    from intervals
    where until_position is not null and next_position is distinct from until_position
),

ends as (
    select distinct
        source,
        host,
        mode,
        until_position
    from gone
),

-- Host and mode of which something was still present at the revision that took others away.
left_over as (
    select distinct
        ends.source,
        ends.host,
        ends.mode,
        ends.until_position
    from ends
    inner join intervals
        on
            ends.source = intervals.source
            and ends.host = intervals.host
            and ends.mode = intervals.mode
            and ends.until_position >= intervals.from_position
            and coalesce(ends.until_position < intervals.until_position, true)
)

select
    gone.run_id,
    gone.source,
    gone.host,
    gone.host_title,
    gone.hardware,
    gone.gpu,
    gone.mode,
    gone.level,
    gone.problem,
    gone.problem_number,
    gone.mean_ns,
    gone.from_at as shown_from,
    gone.until_position as removed_position,
    taken_away.revision as removed_revision,
    taken_away.committed_at as removed_at,
    left_over.source is null as whole_file,
    put_back.revision as returned_revision,
    put_back.committed_at as returned_at,
    date_diff('day', taken_away.committed_at, put_back.committed_at) as gap_days
from gone
inner join revisions as taken_away
    on
        gone.source = taken_away.source
        and gone.until_position = taken_away.position
left join revisions as put_back
    on
        gone.source = put_back.source
        and gone.next_position = put_back.position
left join left_over
    on
        gone.source = left_over.source
        and gone.host = left_over.host
        and gone.mode = left_over.mode
        and gone.until_position = left_over.until_position;
