-- revisions: the rows of revisions in the order in which a snapshot holds them.
-- Grain:  as revisions.
-- Reads:  revisions.
select *
from revisions
order by source, position, committed_at, revision
