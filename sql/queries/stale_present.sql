-- stale_present: how many runs of one source stand and are stale now.
-- Grain:  one row.
-- Reads:  runs, staleness.
select count(*) as runs_stale
from staleness
inner join runs on staleness.run_id = runs.run_id
where runs.source = $source and runs.present and staleness.stale
