-- gpus: GPUs as timing files report them, with their datasheets
-- Grain:  reported hardware.
-- Reads:  batch_gpus.
-- Rule:   the batch is the whole table.
create table if not exists gpus as
select *
from batch_gpus
where false;

delete from gpus;

insert into gpus by name select * from batch_gpus;
