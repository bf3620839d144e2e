-- stale_present: how many runs of each source stand and are stale now.
-- Grain:  source with such a run.
-- Reads:  runs, staleness.
select
    runs.source,
    count(*) as runs_stale
from staleness
inner join runs on staleness.run_id = runs.run_id
where runs.present and staleness.stale
group by runs.source
