-- presence: the intervals in which each run was present.
-- Grain:  run, first revision of the interval.
-- Reads:  batch_presence, touched.
-- Rule:   the rows of touched series are replaced.
delete from presence
where run_id in (select run_id from replaced_runs);

insert into presence by name select * from batch_presence;
