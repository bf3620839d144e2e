-- record_holders_as_of: who held each cohort at a moment (UTC, without a time zone attached), and how far ahead.
-- Grain:  cohort that had a holder by then.
-- Reads:  record_history_as_of, presence_as_of, holders_among.
-- Ties:   as in holders_among.
create or replace macro record_holders_as_of(moment) as table
    with
    events as (
        select *
        from record_history_as_of(moment)
    ),

    intervals as (
        select *
        from presence_as_of(moment)
    )

    select *
    from holders_among(events, intervals);
