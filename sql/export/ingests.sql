-- ingests: the rows of ingests in the order in which a snapshot holds them.
-- Grain:  as ingests.
-- Reads:  ingests.
select *
from ingests
order by ingest_id
