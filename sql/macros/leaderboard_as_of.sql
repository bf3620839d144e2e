-- leaderboard_as_of: the runs that were standing at a moment (UTC, without a time zone attached), ranked within their
-- cohort.
-- Grain:  run that was standing then.
-- Reads:  contenders, presence_as_of, ranked.
-- Ties:   as in ranked.
create or replace macro leaderboard_as_of(moment) as table
    with
    present_then as (
        select run_id
        from presence_as_of(moment)
        where until_position is null
    ),

    standing as (
        select contenders.*
        from contenders() as contenders
        semi join present_then using (run_id)
    )

    select *
    from ranked(standing);
