-- sources: the lineages that figures come from
-- Grain:  source.
-- Reads:  batch_sources.
-- Rule:   the batch describes its sources whole, so their rows are replaced.
delete from sources
where source in (select source from batch_sources);

insert into sources by name select * from batch_sources;
