-- presence: the intervals in which each run stood.
-- Grain:  run, first revision of the interval.
-- Reads:  batch_presence, touched.
-- Rule:   the rows of touched series are replaced.
create table if not exists presence as from batch_presence limit 0;

delete from presence
where run_id in (select run_id from replaced_runs);

insert into presence by name from batch_presence;
