-- meta: facts about the database itself
-- Grain:  key.
-- Reads:  batch_meta.
-- Rule:   the batch is the whole table.
delete from meta;

insert into meta by name select * from batch_meta;
