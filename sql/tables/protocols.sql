-- protocols: ways of measuring
-- Grain:  protocol.
-- Reads:  batch_protocols.
-- Rule:   the batch is the whole table.
create or replace table protocols as select * from batch_protocols;
