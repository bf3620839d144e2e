-- ingests: the log of ingests that changed something
-- Grain:  ingest.
-- Reads:  batch_ingests.
-- Rule:   the batch is the whole table.
create table if not exists ingests as
select *
from batch_ingests
where false;

delete from ingests;

insert into ingests by name select * from batch_ingests;
