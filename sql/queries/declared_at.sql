-- declared_at: what a source declared at two of its commits.
-- Grain:  commit, the earlier first.
-- Reads:  declared_software.
select *
from declared_software
where source = $source and position in ($before, $after)
order by position asc
