-- record_history: how the record of each cohort moved.
-- Grain:  event: a revision at which the leader of a cohort changed.
-- Reads:  contenders, precedence, runs, presence, revisions, touched, eligibility.
-- Rule:   cause, the first that holds: problem_changed (nothing stands, since the host's figures for this problem now
--         belong to other code), withdrawn (nothing stands), first, returned (nothing stood before), faster (the last
--         holder still stands), remeasured (the holder's mode has new figures and leads), overtaken (the holder's mode
--         has new figures, another mode leads), holder_gone (the holder's mode is gone).
-- Ties:   runs of one revision are simultaneous, only the best makes an event; which one leads: as in precedence.
delete from record_history
where cohort_id in (select cohort_id from touched_cohorts);

insert into record_history by name
with
intervals as (
    select
        contenders.*,
        presence.from_position,
        presence.until_position
    from contenders() as contenders
    semi join touched_cohorts using (cohort_id)
    inner join presence on contenders.run_id = presence.run_id
),

moments as (
    select
        cohort_id,
        source,
        from_position as position
    from intervals
    union
    select
        cohort_id,
        source,
        until_position as position
    from intervals
    where until_position is not null
),

leaders as (
    select
        moments.cohort_id,
        moments.source,
        moments.position,
        arg_min(
            intervals.run_id,
            precedence(intervals.mean_ns, intervals.first_position, intervals.mode, intervals.run_id)
        ) as run_id,
        list(intervals.run_id) as standing_runs,
        list(intervals.mode) as standing_modes
    from moments
    left join intervals
        on
            moments.cohort_id = intervals.cohort_id
            and moments.position >= intervals.from_position
            and (intervals.until_position is null or moments.position < intervals.until_position)
    group by moments.cohort_id, moments.source, moments.position
),

compared as (
    select
        *,
        row_number() over timeline as moment,
        lag(run_id) over timeline as run_before,
        last_value(run_id ignore nulls) over (timeline rows between unbounded preceding and 1 preceding)
            as previous_run_id
    from leaders
    window timeline as (partition by cohort_id order by position)
),

changes as (
    select
        compared.*,
        leader.mean_ns,
        leader.mode,
        previous.mean_ns as previous_mean_ns,
        previous.mode as previous_mode,
        previous.host,
        previous.level,
        previous.problem,
        previous.workload_id
    from compared
    left join runs as leader using (run_id)
    left join runs as previous on compared.previous_run_id = previous.run_id
    where compared.run_id is distinct from compared.run_before
),

rebound as (
    select distinct
        changes.cohort_id,
        changes.position
    from changes
    inner join runs
        on
            changes.source = runs.source
            and changes.host = runs.host
            and changes.level = runs.level
            and changes.problem = runs.problem
            and changes.workload_id is distinct from runs.workload_id
    inner join presence
        on
            runs.run_id = presence.run_id
            and changes.position = presence.from_position
    where changes.run_id is null
)

select
    changes.cohort_id,
    changes.position,
    revisions.revision,
    revisions.committed_at as changed_at,
    changes.run_id,
    changes.previous_run_id,
    changes.mean_ns,
    changes.previous_mean_ns,
    case
        when changes.run_id is null and rebound.cohort_id is not null then 'problem_changed'
        when changes.run_id is null then 'withdrawn'
        when changes.previous_run_id is null then 'first'
        when changes.run_before is null then 'returned'
        when list_contains(changes.standing_runs, changes.previous_run_id) then 'faster'
        when changes.mode = changes.previous_mode then 'remeasured'
        when list_contains(changes.standing_modes, changes.previous_mode) then 'overtaken'
        else 'holder_gone'
    end as cause,
    1 - changes.mean_ns / changes.previous_mean_ns as improvement
from changes
inner join revisions using (source, position)
left join rebound using (cohort_id, position);
