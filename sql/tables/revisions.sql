-- revisions: what each source showed, in order
-- Grain:  source, revision.
-- Reads:  batch_revisions, batch_sources.
-- Rule:   the batch describes its sources whole, so their rows are replaced.
delete from revisions
where source in (select source from batch_sources);

insert into revisions by name select * from batch_revisions;
