-- meta: facts about the database itself
-- Grain:  key.
-- Reads:  batch_meta.
-- Rule:   the batch is the whole table.
create table if not exists meta as
select *
from batch_meta
where false;

delete from meta;

insert into meta by name select * from batch_meta;
