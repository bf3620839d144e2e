-- ingests: the log of ingests that changed something
-- Grain:  ingest.
-- Reads:  batch_ingests.
-- Rule:   the batch is the whole table.
create or replace table ingests as select * from batch_ingests;
