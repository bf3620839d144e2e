-- last_checks: what the heartbeat says of when each source was last checked, aged to a moment.
-- Grain:  source that an ingest checked, or tried to.
-- Reads:  nothing.
-- Rule:   the session's variable heartbeat is the text of heartbeat.json, which lies beside the database: an ingest
--         with nothing new writes that file alone. Not set, or no heartbeat: no row, nothing is known. unchecked: never
--         checked with success, or not within stale_after_hours before the moment. A moment before the last check is
--         not judged, since earlier checks are not remembered; nor is the future: later than now counts as now.
--         in_future: checked by a clock that was more than five minutes ahead of this one. status: unknown where it
--         was; else stale where unchecked, failing where the check after the last that succeeded failed, due or fresh.
create or replace macro last_checks(moment) as table
    with
    checks as (
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
        from checks
    ),

    judged as (
        select
            *,
            coalesce(date_diff('second', (now() at time zone 'UTC'), checked_at) > 300, false) as in_future,
            checked_at is null or coalesce(hours_since > stale_after_hours, false) as unchecked
        from aged
    )

    select
        *,
        case
            when in_future then 'unknown'
            when unchecked then 'stale'
            when last_error is not null then 'failing'
            when hours_since > due_after_hours then 'due'
            else 'fresh'
        end as status,
        case when not in_future then try(checked_at + to_seconds(due_after_hours * 3600)) end as due_at
    from judged;
