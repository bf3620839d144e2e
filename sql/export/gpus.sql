-- gpus: the rows of gpus in the order in which a snapshot holds them.
-- Grain:  as gpus.
-- Reads:  gpus.
select *
from gpus
order by hardware
