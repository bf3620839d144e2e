-- binding_doubts: how many figures of each version of a timing file are faster than the hardware, under the code beside
-- it.
-- Grain:  source, host, mode, path, blob: a version of a timing file with figures of its own.
-- Reads:  runs, run_floors, batch_series, copies.
-- Rule:   a lineage may commit figures that were taken on other code than the modules beside them. A version is
--         doubtful when at least 20 of its figures, and at least a tenth of those whose costs and GPU are known, lie
--         below the floor. Its figures are those that first appeared in it, copies aside: of these the original says
--         what they measured.
create or replace temp table doubted_series as
select
    source,
    host,
    mode
from batch_series
union
select
    source,
    host,
    mode
from decided_copies;

delete from binding_doubts
where (source, host, mode) in (select (source, host, mode) from doubted_series);

insert into binding_doubts by name
with
measured as (
    select runs.run_id
    from runs
    semi join doubted_series using (source, host, mode)
    where runs.reachable and runs.copy_of is null and runs.workload_id is not null
),

counted as (
    select
        source,
        host,
        mode,
        path,
        blob,
        count(*) as figures,
        count(floor_ns) as figures_costed,
        count(*) filter (where below_floor) as figures_below_floor
    from run_floors(measured)
    group by source, host, mode, path, blob
)

select
    *,
    figures_below_floor >= 20 and figures_below_floor * 10 >= figures_costed as doubtful
from counted;
