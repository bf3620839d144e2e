-- holders_among: who holds each cohort, and how far ahead. The one place where that is decided.
-- Grain:  cohort with an event.
-- Reads:  contenders, precedence, intervals_apart.
-- Rule:   events: the name of a relation like record_history; intervals: of one like presence. Both as known at one
--         moment. held_since is the moment of the last event that made the holder, by position. A holder that was
--         withdrawn is measured against those that were present beside it last: where nothing is present, the last
--         position at which something was is the one before the last event. lead_changes: how often the record changed
--         hands, that is, went to another mode. clear: no interval of another overlaps the holder's.
-- Ties:   as in precedence.
create or replace macro holders_among(events, intervals) as table
    with
    holders as (
        select
            cohort_id,
            arg_max(coalesce(run_id, previous_run_id), position) as run_id,
            arg_max(changed_at, position) filter (where run_id is not null) as held_since,
            arg_max(run_id is not null, position) as present,
            max(position) as last_position,
            count(*) filter (where cause in ('faster', 'overtaken', 'holder_gone')) as lead_changes
        from query_table(events)
        group by cohort_id
    ),

    beside as (
        select others.*
        from holders
        inner join contenders() as others
            on
                holders.cohort_id = others.cohort_id
                and holders.run_id <> others.run_id
        inner join query_table(intervals) as stretch
            on
                others.run_id = stretch.run_id
                and case
                    when holders.present then stretch.until_position is null
                    else holders.last_position = stretch.until_position
                end
    ),

    nearest as (
        select
            beside.cohort_id,
            arg_min(
                beside.run_id, precedence(beside.mean_ns, beside.first_position, beside.mode, beside.run_id)
            ) as next_run_id,
            min(beside.mean_ns) / any_value(holder.mean_ns) as margin_ratio,
            bool_and(
                intervals_apart(beside.low_ns, beside.high_ns, holder.low_ns, holder.high_ns)
            ) as clear
        from beside
        inner join holders on beside.cohort_id = holders.cohort_id
        inner join contenders() as holder on holders.run_id = holder.run_id
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
