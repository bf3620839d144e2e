-- gpus: GPUs as timing files report them, with their datasheets
-- Grain:  reported hardware.
-- Reads:  batch_gpus.
-- Rule:   the batch is the whole table.
create or replace table gpus as select * from batch_gpus;
