-- meta: facts about the database itself
-- Grain:  key.
-- Reads:  batch_meta.
-- Rule:   the batch is the whole table.
create or replace table meta as select * from batch_meta;
