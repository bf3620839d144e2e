-- staleness_as_of: what could be said against each figure at a moment (UTC, without a time zone attached).
-- Grain:  run that was shown by then.
-- Reads:  staleness_seen.
-- Rule:   as staleness, with the newest commit, and the age, of that moment.
create or replace macro staleness_as_of(moment) as table
    select *
    from staleness_seen(moment, moment);
