-- harnesses: what is known of timing scripts, by their digest
-- Grain:  digest of the scripts.
-- Reads:  batch_harnesses.
-- Rule:   the batch is the whole table.
create table if not exists harnesses as
select *
from batch_harnesses
where false;

delete from harnesses;

insert into harnesses by name select * from batch_harnesses;
