-- record_history_as_of: how records had moved by a moment (UTC, without a time zone attached).
-- Grain:  event, up to the newest commit of that moment.
-- Reads:  record_history, runs, seen_as_of.
create or replace macro record_history_as_of(moment) as table
    select record_history.*
    from record_history
    inner join runs on coalesce(record_history.run_id, record_history.previous_run_id) = runs.run_id
    inner join seen_as_of(moment) as seen on runs.source = seen.source
    where record_history.position <= seen.position;
