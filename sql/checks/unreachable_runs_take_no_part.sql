-- unreachable_runs_take_no_part: a run that is not reachable any more is never present, eligible, a copy or an
-- original, and stands in no ranking, record or presence.
-- Grain:  run that does.
-- Reads:  runs, presence, leaderboard, record_history, record_holders.
select
    run_id,
    present,
    eligible,
    copy_of
from runs
where
    not reachable
    and (
        present
        or eligible
        or copy_of is not null
        or run_id in (
            select copied.copy_of from runs as copied
            where copied.copy_of is not null
        )
        or run_id in (select presence.run_id from presence)
        or run_id in (select leaderboard.run_id from leaderboard)
        or run_id in (select record_holders.run_id from record_holders)
        or run_id in (
            select record_history.run_id from record_history
            where record_history.run_id is not null
        )
    )
