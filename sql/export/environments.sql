-- environments: the rows of environments in the order in which a snapshot holds them.
-- Grain:  as environments.
-- Reads:  environments.
select *
from environments
order by environment_id
