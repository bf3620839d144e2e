-- protocols: the rows of protocols in the order in which a snapshot holds them.
-- Grain:  as protocols.
-- Reads:  protocols.
select *
from protocols
order by protocol_id
