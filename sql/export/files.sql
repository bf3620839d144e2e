-- files: the rows of files in the order in which a snapshot holds them.
-- Grain:  as files.
-- Reads:  files.
select *
from files
order by source, path, blob
