-- protocols: ways of measuring
-- Grain:  protocol.
-- Reads:  batch_protocols.
-- Rule:   the batch is the whole table.
delete from protocols;

insert into protocols by name select * from batch_protocols;
