-- presence_as_of: the intervals of presence as they were known at a moment (UTC, without a time zone attached).
-- Grain:  interval that had begun by then.
-- Reads:  presence, seen_as_of.
-- Rule:   judged by the newest commit of that moment: an interval goes from its first revision up to, not including,
--         the first that no longer shows the run. until_* null: the run was present.
create or replace macro presence_as_of(seen_until) as table
    select
        presence.run_id,
        presence.source,
        presence.from_position,
        presence.from_revision,
        presence.from_at,
        case when presence.until_position <= seen.position then presence.until_position end as until_position,
        case when presence.until_position <= seen.position then presence.until_revision end as until_revision,
        case when presence.until_position <= seen.position then presence.until_at end as until_at
    from presence
    inner join seen_as_of(seen_until) as seen on presence.source = seen.source
    where presence.from_position <= seen.position;
