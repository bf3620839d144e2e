-- Which standing records leave the least room above an estimated floor? An estimate: see assumptions.
select
    level,
    problem,
    bound,
    floor_ns,
    mean_ns,
    ratio
from headroom_v2
where
    present
    and host = 'H100_Modal'
order by ratio, level, problem
limit 10;
