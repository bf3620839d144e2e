-- problems: problem modules at the head of each source
-- Grain:  source, level, problem.
-- Reads:  batch_problems, batch_sources.
-- Rule:   the batch describes its sources whole, so their rows are replaced.
delete from problems
where source in (select source from batch_sources);

insert into problems by name select * from batch_problems;
