-- stood_as_of: which runs had been shown by a moment, and at which position those that stood no more were taken away.
-- Grain:  run that was shown by then.
-- Reads:  presence, seen_as_of.
-- Rule:   an interval of presence is judged by the newest commit of that moment: it stands from its first revision up
--         to, not including, the first that no longer shows it. until_position null: it stood.
create or replace macro stood_as_of(seen_until) as table
    select
        presence.run_id,
        nullif(
            max(case when presence.until_position <= seen.position then presence.until_position else 1e18::bigint end),
            1e18::bigint
        ) as until_position
    from presence
    inner join seen_as_of(seen_until) as seen on presence.source = seen.source
    where presence.from_position <= seen.position
    group by presence.run_id;
