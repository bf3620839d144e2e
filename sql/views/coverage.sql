-- coverage: for what a problem's code at head has been measured on, and for what it has not.
-- Grain:  source, problem at head, GPU that the source ever reported, mode that it ever used.
-- Reads:  coverage_cells, runs, problem_number.
-- Rule:   which status a cell has: macros/coverage_cells.sql.
--         gap_rank orders the cells that are not measured, within a source: those of the mode of which most stands now,
--         then of the GPU of which most stands now; not_measured before withdrawn before equivalent; then by level and
--         problem. command: how KernelBench's own scripts would fill it, under the name of the host that showed the GPU
--         last. Its script for Modal is told GPU, host and level and writes eager and inductor figures; the other one
--         measures the machine it runs on, all levels, under a name that is set in its last lines.
create or replace view coverage as
with
reachable_runs as (
    select *
    from runs
    where reachable
),

used as (
    select
        source,
        hardware,
        mode,
        count(*) as standing
    from runs
    where present and hardware is not null
    group by source, hardware, mode
),

used_gpus as (
    select
        source,
        hardware,
        sum(standing) as standing
    from used
    group by source, hardware
),

used_modes as (
    select
        source,
        mode,
        sum(standing) as standing
    from used
    group by source, mode
),

last_hosts as (
    select
        source,
        hardware,
        arg_max(host, (observed_at, host)) as host
    from reachable_runs
    where hardware is not null
    group by source, hardware
)

select
    cells.*,
    case
        when cells.status <> 'measured'
            then
                row_number() over (
                    partition by cells.source
                    order by
                        cells.status = 'measured' asc,
                        coalesce(used_modes.standing, 0) desc,
                        coalesce(used_gpus.standing, 0) desc,
                        case cells.status when 'equivalent' then 3 when 'withdrawn' then 2 else 1 end asc,
                        cells.level asc,
                        problem_number(cells.problem) asc,
                        cells.problem asc,
                        cells.hardware asc,
                        cells.mode asc
                )
    end as gap_rank,
    case
        when cells.status = 'measured' then null
        when not regexp_full_match(last_hosts.host, '[\w.-]+') then null
        when
            lower(last_hosts.host) like '%\_modal' escape '\'
            and cells.mode in ('torch', 'torch_compile_inductor_default')
            and regexp_full_match(cells.level, 'level\d+')
            then
                'python scripts/generate_baseline_time_modal.py level=' || replace(cells.level, 'level', '')
                || ' gpu=' || regexp_extract(last_hosts.host, '^(.*)_', 1) || ' hardware_name=' || last_hosts.host
        else
            'python scripts/generate_baseline_time.py  # there, with hardware_name = "' || last_hosts.host || '"'
    end as command
from coverage_cells(null, null) as cells
left join used_gpus
    on
        cells.source = used_gpus.source
        and cells.hardware = used_gpus.hardware
left join used_modes
    on
        cells.source = used_modes.source
        and cells.mode = used_modes.mode
left join last_hosts
    on
        cells.source = last_hosts.source
        and cells.hardware = last_hosts.hardware;
