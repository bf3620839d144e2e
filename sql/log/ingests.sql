-- ingests: the log of ingests that changed something
-- Grain:  ingest.
-- Reads:  batch_ingests.
-- Rule:   the batch is the whole table.
delete from ingests;

insert into ingests by name select * from batch_ingests;
