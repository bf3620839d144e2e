-- host_gpus: which GPU a host folder has whose files do not say it.
-- Grain:  repository (or every one), host.
-- Reads:  batch_host_gpus.
-- Rule:   the batch is the whole table.
delete from host_gpus;

insert into host_gpus by name select * from batch_host_gpus;
