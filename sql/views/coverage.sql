-- coverage: for what a problem's code at head has been measured on, and for what it has not.
-- Grain:  source, problem at head, GPU that the source ever reported, mode that it ever used.
-- Reads:  problems, runs, environments, implementations, workloads, revisions,
--         stood_as_of.
-- Rule:   the first that holds, of the eligible runs of the problem on that GPU in that mode: measured (a run that
--         stands, of the code at head), equivalent (a run of other code with equal computation, standing or withdrawn),
--         withdrawn (a run of the code at head, no longer shown), not_measured.
--         gap_rank orders the cells that are not measured, within a source: those of the mode of which most stands now,
--         then of the GPU of which most stands now; not_measured before withdrawn before equivalent; then by level and
--         problem. command: how KernelBench's own scripts would fill it, under the name of the host that showed the GPU
--         last. Its script for Modal is told GPU, host and level and writes eager and inductor figures; the other one
--         measures the machine it runs on, all levels, under a name that is set in its last lines.
-- Ties:   of several runs that would do, the cell rests on the latest observed, then the fastest, then the first id.
create or replace view coverage as
with
reachable_runs as (
    select *
    from runs
    where reachable
),

grid_gpus as (
    select distinct
        source,
        hardware,
        vendor,
        product,
        form_factor,
        memory_gb
    from environments
    semi join reachable_runs using (environment_id)
    where hardware is not null
),

grid_modes as (
    select distinct
        reachable_runs.source,
        reachable_runs.mode,
        implementations.title as implementation
    from reachable_runs
    inner join implementations on reachable_runs.mode = implementations.mode
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
),

candidates as (
    select
        runs.source,
        runs.level,
        runs.problem,
        runs.hardware,
        runs.mode,
        runs.run_id,
        runs.host,
        runs.mean_ns,
        runs.observed_at,
        runs.present,
        case
            when runs.code_digest <> problems.code_digest then 'equivalent'
            when runs.present then 'measured'
            else 'withdrawn'
        end as status
    from runs
    inner join workloads on runs.workload_id = workloads.workload_id
    inner join problems
        on
            runs.source = problems.source
            and runs.level = problems.level
            and runs.problem = problems.problem
            and workloads.compute_digest = problems.compute_digest
    where runs.eligible and runs.hardware is not null
),

chosen as (
    select *
    from candidates
    qualify row_number() over (
        partition by source, level, problem, hardware, mode
        order by
            case status when 'measured' then 1 when 'equivalent' then 2 else 3 end asc,
            observed_at desc,
            mean_ns asc,
            run_id asc
    ) = 1
)

select
    problems.source,
    problems.level,
    problems.problem,
    problems.title,
    problems.family,
    grid_gpus.hardware,
    grid_gpus.vendor,
    grid_gpus.product,
    grid_gpus.form_factor,
    grid_gpus.memory_gb,
    grid_modes.mode,
    grid_modes.implementation,
    coalesce(chosen.status, 'not_measured') as status,
    chosen.run_id,
    chosen.host,
    chosen.mean_ns,
    chosen.observed_at,
    chosen.present,
    taken_away.committed_at as withdrawn_at,
    case
        when coalesce(chosen.status, 'not_measured') <> 'measured'
            then
                row_number() over (
                    partition by problems.source
                    order by
                        coalesce(chosen.status, 'not_measured') = 'measured' asc,
                        coalesce(used_modes.standing, 0) desc,
                        coalesce(used_gpus.standing, 0) desc,
                        case chosen.status when 'equivalent' then 3 when 'withdrawn' then 2 else 1 end asc,
                        problems.level asc,
                        try_cast(regexp_extract(problems.problem, '^\d+') as bigint) asc,
                        problems.problem asc,
                        grid_gpus.hardware asc,
                        grid_modes.mode asc
                )
    end as gap_rank,
    case
        when coalesce(chosen.status, 'not_measured') = 'measured' then null
        when not regexp_full_match(last_hosts.host, '[\w.-]+') then null
        when
            lower(last_hosts.host) like '%\_modal' escape '\'
            and grid_modes.mode in ('torch', 'torch_compile_inductor_default')
            and regexp_full_match(problems.level, 'level\d+')
            then
                'python scripts/generate_baseline_time_modal.py level=' || replace(problems.level, 'level', '')
                || ' gpu=' || regexp_extract(last_hosts.host, '^(.*)_', 1) || ' hardware_name=' || last_hosts.host
        else
            'python scripts/generate_baseline_time.py  # there, with hardware_name = "' || last_hosts.host || '"'
    end as command
from problems
inner join grid_gpus on problems.source = grid_gpus.source
inner join grid_modes on problems.source = grid_modes.source
left join used_gpus
    on
        problems.source = used_gpus.source
        and grid_gpus.hardware = used_gpus.hardware
left join used_modes
    on
        problems.source = used_modes.source
        and grid_modes.mode = used_modes.mode
left join last_hosts
    on
        problems.source = last_hosts.source
        and grid_gpus.hardware = last_hosts.hardware
left join chosen
    on
        problems.source = chosen.source
        and problems.level = chosen.level
        and problems.problem = chosen.problem
        and grid_gpus.hardware = chosen.hardware
        and grid_modes.mode = chosen.mode
left join stood_as_of('infinity') as stood on chosen.run_id = stood.run_id
left join revisions as taken_away
    on
        problems.source = taken_away.source
        and stood.until_position = taken_away.position;
