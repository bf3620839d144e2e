-- gpus: GPUs as timing files report them, with their datasheets
-- Grain:  reported hardware.
-- Reads:  batch_gpus.
-- Rule:   the batch is the whole table.
delete from gpus;

insert into gpus by name select * from batch_gpus;
