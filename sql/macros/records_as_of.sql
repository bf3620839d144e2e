-- records_as_of: who held each cohort at a moment (UTC, without a time zone attached).
-- Grain:  cohort that had a holder by then.
-- Reads:  record_holders_as_of, leaderboard_as_of, presence_as_of, places_among, staleness_as_of, repeatability_as_of,
--         records_among.
-- Ties:   as in holders_among.
create or replace macro records_as_of(moment) as table
    with
    holders_then as (
        select *
        from record_holders_as_of(moment)
    ),

    intervals_then as (
        select *
        from presence_as_of(moment)
    ),

    places_then as (
        select *
        from leaderboard_as_of(moment)
        union all
        select *
        from places_among(intervals_then)
    ),

    doubts_then as (
        select *
        from staleness_as_of(moment)
    ),

    limits_then as (
        select *
        from repeatability_as_of(moment)
    )

    select *
    from records_among(holders_then, places_then, doubts_then, limits_then);
