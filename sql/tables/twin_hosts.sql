-- twin_hosts: host folders that are one machine, measured once for each.
-- Grain:  repository, pair of hosts.
-- Reads:  batch_twin_hosts.
-- Rule:   the batch is the whole table.
delete from twin_hosts;

insert into twin_hosts by name select * from batch_twin_hosts;
