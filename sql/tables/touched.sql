-- touched: what this publish derives anew. Temporary: gone when the database is published.
-- Grain:  replaced_runs: run; touched_cohorts: cohort; touched_copies: copy key.
-- Reads:  batch_runs, batch_series (and runs, as the publish before left them).
-- Rule:   a cohort or copy key is touched when a run of it goes, comes or stays within a touched series.
create or replace temp table replaced_runs as
select
    source,
    run_id,
    cohort_id,
    copy_key,
    present,
    reachable
from runs
semi join batch_series using (source, host, mode);

create or replace temp table touched_cohorts as
select cohort_id
from replaced_runs
where cohort_id is not null
union
select cohort_id
from batch_runs
where cohort_id is not null;

create or replace temp table touched_copies as
select copy_key
from replaced_runs
union
select copy_key
from batch_runs;
