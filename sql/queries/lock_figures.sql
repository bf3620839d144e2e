-- lock_figures: what became of figures that were locked once.
-- Grain:  run, of those asked for by id; one that is not known is not there.
-- Reads:  runs, staleness.
select
    runs.run_id,
    runs.present,
    runs.eligible,
    staleness.severity,
    staleness.reasons
from runs
left join staleness on runs.run_id = staleness.run_id
where list_contains($runs::varchar[], runs.run_id)
order by runs.run_id asc;
