-- pinned_problems: readable modules at the newest revision of each source.
-- Grain:  source, level, problem.
-- Reads:  batch_pinned_problems, batch_sources.
-- Rule:   the batch describes its sources whole, so their rows are replaced.
delete from pinned_problems
where source in (select source from batch_sources);

insert into pinned_problems by name select * from batch_pinned_problems;
