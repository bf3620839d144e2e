-- source_health: when each source was last looked at, and whether its silence can still be borne.
-- Grain:  source that is published, or that an ingest tried to look at.
-- Reads:  sources, files, quarantine.
-- Rule:   heartbeat is the text of heartbeat.json, which lies beside the database: what an ingest with nothing new
--         writes. fresh, due or stale by the hours since the last look that succeeded; never looked at is stale.
create or replace macro source_health(heartbeat) as table
    with
    entries as (
        select unnest(map_entries(cast(json_extract(heartbeat, '$.sources') as map (varchar, json)))) as entry
    ),

    beats as (
        select
            entry.key as source,
            cast(replace(entry.value ->> 'checked_at', 'Z', '') as timestamp) as checked_at,
            cast(replace(entry.value ->> 'changed_at', 'Z', '') as timestamp) as changed_at,
            cast(replace(entry.value ->> 'failed_at', 'Z', '') as timestamp) as failed_at,
            cast(entry.value ->> 'requests' as bigint) as requests,
            entry.value ->> 'last_error' as last_error,
            cast(entry.value ->> 'due_after_hours' as double) as due_after_hours,
            cast(entry.value ->> 'stale_after_hours' as double) as stale_after_hours
        from entries
    ),

    aged as (
        select
            *,
            date_diff('second', checked_at, (now() at time zone 'UTC')) / 3600 as hours_since_check
        from beats
    )

    select
        aged.source,
        case
            when aged.hours_since_check is null or aged.hours_since_check > aged.stale_after_hours then 'stale'
            when aged.hours_since_check > aged.due_after_hours then 'due'
            else 'fresh'
        end as status,
        aged.checked_at,
        aged.changed_at,
        aged.checked_at + to_seconds(aged.due_after_hours * 3600) as due_at,
        sources.newest_revision,
        sources.newest_revision_at,
        (
            select count(*)
            from files
            where files.source = aged.source and files.kind = 'timing' and files.present
        ) as files_present,
        (
            select count(*)
            from quarantine
            where quarantine.source = aged.source and quarantine.problem_key is null and quarantine.present
        ) as files_refused,
        aged.requests,
        aged.last_error,
        aged.failed_at,
        aged.due_after_hours,
        aged.stale_after_hours
    from aged
    left join sources on aged.source = sources.source;
