-- problem_versions: what code each problem had at the commits looked at, a row whenever it changed
-- Grain:  source, level, problem, from_position.
-- Reads:  batch_problem_versions, batch_sources.
-- Rule:   the batch describes its sources whole, so their rows are replaced.
delete from problem_versions
where source in (select source from batch_sources);

insert into problem_versions by name select * from batch_problem_versions;
