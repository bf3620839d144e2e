-- coverage: for what the computations at head have been measured on, and for what they have not.
-- Grain:  level, problem, computation at the head of a source, GPU that was ever reported, mode that was ever used.
-- Reads:  coverage_cells, runs, environments, problem_number.
-- Rule:   which status a cell has: macros/coverage_cells.sql.
--         gap_rank orders the cells that are not measured: those of the mode of which most stands now, then of the GPU
--         of which most stands now; not_measured before withdrawn before equivalent; then by level and problem. Copies
--         do not count. command: how KernelBench's own scripts would fill it, under the name of the host that showed
--         the GPU last. Its script for Modal is told GPU, host and level and writes eager and inductor figures; the
--         other one measures the machine it runs on, all levels, under a name that is set in its last lines.
create or replace view coverage as
with
originals as (
    select
        runs.mode,
        runs.host,
        runs.observed_at,
        runs.present,
        coalesce(environments.known_as, runs.hardware) as hardware
    from runs
    inner join environments on runs.environment_id = environments.environment_id
    where runs.reachable and runs.copy_of is null
),

used_gpus as (
    select
        hardware,
        count(*) as standing
    from originals
    where present and hardware is not null
    group by hardware
),

used_modes as (
    select
        mode,
        count(*) as standing
    from originals
    where present and hardware is not null
    group by mode
),

last_hosts as (
    select
        hardware,
        arg_max(host, (observed_at, host)) as host
    from originals
    where hardware is not null
    group by hardware
)

select
    cells.level,
    cells.problem,
    problem_number(cells.problem) as problem_number,
    cells.* exclude (level, problem),
    case
        when cells.status <> 'measured'
            then
                row_number() over (
                    order by
                        cells.status = 'measured' asc,
                        coalesce(used_modes.standing, 0) desc,
                        coalesce(used_gpus.standing, 0) desc,
                        case cells.status when 'equivalent' then 3 when 'withdrawn' then 2 else 1 end asc,
                        cells.level asc,
                        problem_number(cells.problem) asc,
                        cells.problem asc,
                        cells.computation asc,
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
left join used_gpus on cells.hardware = used_gpus.hardware
left join used_modes on cells.mode = used_modes.mode
left join last_hosts on cells.hardware = last_hosts.hardware;
