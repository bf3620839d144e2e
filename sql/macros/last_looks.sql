-- last_looks: what the heartbeat says of the last look at each source, aged to a moment.
-- Grain:  source that an ingest looked at, or tried to.
-- Reads:  nothing.
-- Rule:   the session's variable heartbeat is the text of heartbeat.json, which lies beside the database: an ingest
--         with nothing new writes that file alone. Not set, or no heartbeat: no row, nothing is known. unchecked: never
--         looked at with success, or not within stale_after_hours before the moment. A moment before the last look is
--         not judged, since earlier looks are not remembered; nor is the future: later than now counts as now.
create or replace macro last_looks(moment) as table
    with
    looks as (
        select
            key as source,
            try_cast(value ->> 'checked_at' as timestamp) as checked_at,
            try_cast(value ->> 'changed_at' as timestamp) as changed_at,
            try_cast(value ->> 'failed_at' as timestamp) as failed_at,
            try_cast(value ->> 'requests' as bigint) as requests,
            value ->> 'last_error' as last_error,
            try_cast(value ->> 'due_after_hours' as double) as due_after_hours,
            try_cast(value ->> 'stale_after_hours' as double) as stale_after_hours
        from json_each(try_cast(getvariable('heartbeat')::varchar as json), '$.sources')
        where type = 'OBJECT'
    ),

    aged as (
        select
            *,
            date_diff('second', checked_at, least(moment::timestamp, (now() at time zone 'UTC'))) / 3600 as hours_since
        from looks
    )

    select
        *,
        checked_at is null or coalesce(hours_since > stale_after_hours, false) as unchecked
    from aged;
