-- score_floors: how fast a GPU may at best compute what a module states, by datasheet and traced arithmetic.
-- Grain:  code, GPU; of the code that some run measured on that GPU.
-- Reads:  run_floors, runs, environments.
-- Rule:   as in headroom_v2. beyond_cache: the bytes exceed the last cache before memory, so that being faster than
--         DRAM is evidence too. Null where the module was not traced or the datasheet has no such figure.
select
    runs.code_digest,
    coalesce(environments.known_as, runs.hardware) as gpu,
    max(floors.floor_ns) as floor_ns,
    max(floors.compute_ns) as compute_ns,
    max(floors.dram_ns) as dram_ns,
    bool_or(floors.moved_bytes > floors.last_cache_mb * 1048576) as beyond_cache
from run_floors(runs) as floors
inner join runs on floors.run_id = runs.run_id
left join environments on runs.environment_id = environments.environment_id
where
    floors.floor_ns is not null
    and runs.precision is null
    and ($levels::varchar[] is null or list_contains($levels::varchar[], runs.level))
group by all
order by all;
