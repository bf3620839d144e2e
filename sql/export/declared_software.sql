-- declared_software: the rows of declared_software in the order in which a snapshot holds them.
-- Grain:  as declared_software.
-- Reads:  declared_software.
select *
from declared_software
order by source, position, revision
