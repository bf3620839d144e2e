-- places_among: the place of each run that no longer stands, among those that stood beside it at the last moment when
-- it did.
-- Grain:  eligible run that stood and stands no more.
-- Reads:  contenders, ranked.
-- Rule:   intervals: the name of a relation like presence, as known at one moment. The last moment is the revision
--         before the first that no longer shows the run, of its last interval.
-- Ties:   as in ranked.
create or replace macro places_among(intervals) as table
    with
    ended as (
        select
            run_id,
            max(until_position) as until_position
        from query_table(intervals)
        group by run_id
        having bool_and(until_position is not null)
    ),

    gone as (
        select
            contenders.cohort_id,
            contenders.run_id,
            ended.until_position,
            contenders.cohort_id || ' until ' || ended.until_position as last_moment
        from contenders() as contenders
        inner join ended on contenders.run_id = ended.run_id
    ),

    moments as (
        select distinct
            cohort_id,
            until_position,
            last_moment
        from gone
    ),

    -- Each last moment of a cohort is ranked as if it were a cohort of its own.
    standing_then as (
        select others.* replace (moments.last_moment as cohort_id)
        from moments
        inner join contenders() as others on moments.cohort_id = others.cohort_id
        inner join query_table(intervals) as stretch
            on
                others.run_id = stretch.run_id
                and moments.until_position > stretch.from_position
                and coalesce(moments.until_position <= stretch.until_position, true)
    )

    select placed.* replace (gone.cohort_id as cohort_id)
    from ranked(standing_then) as placed
    inner join gone
        on
            placed.run_id = gone.run_id
            and placed.cohort_id = gone.last_moment;
