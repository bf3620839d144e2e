-- record_holders_as_of: who held each cohort at a moment (UTC, without a time zone attached), and how far ahead.
-- Grain:  cohort that had a holder by then.
-- Reads:  record_history, runs, presence, seen_as_of.
-- Ties:   as in record_history. A holder that was withdrawn is measured against those that stood beside it last.
create or replace macro record_holders_as_of(moment) as table
    with
    events as (
        select
            record_history.*,
            seen.position as seen_position
        from record_history
        inner join runs on coalesce(record_history.run_id, record_history.previous_run_id) = runs.run_id
        inner join seen_as_of(moment) as seen on runs.source = seen.source
        where record_history.position <= seen.position
    ),

    holders as (
        select
            cohort_id,
            any_value(seen_position) as seen_position,
            arg_max(coalesce(run_id, previous_run_id), position) as run_id,
            max("at") filter (where run_id is not null) as held_since,
            arg_max(run_id is not null, position) as present,
            max(position) as last_position,
            count(*) filter (where cause in ('faster', 'remeasured', 'holder_gone')) as lead_changes
        from events
        group by cohort_id
    ),

    beside as (
        select
            holders.cohort_id,
            runs.run_id,
            runs.mean_ns,
            runs.observed_at,
            runs.mode,
            runs.ci95_low_ns - runs.rounding_ns as low_ns,
            runs.ci95_high_ns + runs.rounding_ns as high_ns
        from holders
        inner join runs
            on
                holders.cohort_id = runs.cohort_id
                and holders.run_id <> runs.run_id
                and runs.eligible
        inner join presence on runs.run_id = presence.run_id
        where
            case
                when holders.present
                    then
                        presence.from_position <= holders.seen_position
                        and coalesce(presence.until_position > holders.seen_position, true)
                else presence.until_position = holders.last_position
            end
    ),

    nearest as (
        select
            beside.cohort_id,
            arg_min(beside.run_id, (beside.mean_ns, beside.observed_at, beside.mode, beside.run_id)) as next_run_id,
            min(beside.mean_ns) / any_value(holder.mean_ns) as margin_ratio,
            not bool_or(
                beside.low_ns <= holder.ci95_high_ns + holder.rounding_ns
                and beside.high_ns >= holder.ci95_low_ns - holder.rounding_ns
            ) as clear
        from beside
        inner join holders on beside.cohort_id = holders.cohort_id
        inner join runs as holder on holders.run_id = holder.run_id
        group by beside.cohort_id
    )

    select
        holders.cohort_id,
        holders.run_id,
        holders.present,
        holders.held_since,
        holders.lead_changes,
        nearest.next_run_id,
        nearest.margin_ratio,
        nearest.clear
    from holders
    left join nearest on holders.cohort_id = nearest.cohort_id;
