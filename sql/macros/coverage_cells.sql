-- coverage_cells: for what the code at head of problems has been measured on, and for what it has not, without the rank
-- of the gaps.
-- Grain:  source, problem at head (of all, where level and problem are null), GPU that the source ever reported, mode
--         that it ever used.
-- Reads:  problems, runs, environments, implementations, workloads, revisions, presence.
-- Rule:   the first that holds, of the eligible runs of the problem on that GPU in that mode: measured (a run that
--         stands, of the code at head), equivalent (a run of other code with equal computation, standing or withdrawn),
--         withdrawn (a run of the code at head, no longer shown), not_measured.
-- Ties:   of several runs that would do, the cell rests on the latest observed, then the fastest, then the first id.
create or replace macro coverage_cells(of_level, of_problem) as table
    with
    reachable_runs as (
        select *
        from runs
        where reachable
    ),

    wanted as (
        select *
        from problems
        where
            (of_level is null or level = of_level)
            and (of_problem is null or problem = of_problem)
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
                when runs.code_digest <> wanted.code_digest then 'equivalent'
                when runs.present then 'measured'
                else 'withdrawn'
            end as status
        from runs
        inner join workloads on runs.workload_id = workloads.workload_id
        inner join wanted
            on
                runs.source = wanted.source
                and runs.level = wanted.level
                and runs.problem = wanted.problem
                and workloads.compute_digest = wanted.compute_digest
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
    ),

    last_shown as (
        select
            run_id,
            max(until_position) as until_position
        from presence
        group by run_id
    )

    select
        wanted.source,
        wanted.level,
        wanted.problem,
        wanted.title,
        wanted.family,
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
        taken_away.committed_at as withdrawn_at
    from wanted
    inner join grid_gpus on wanted.source = grid_gpus.source
    inner join grid_modes on wanted.source = grid_modes.source
    left join chosen
        on
            wanted.source = chosen.source
            and wanted.level = chosen.level
            and wanted.problem = chosen.problem
            and grid_gpus.hardware = chosen.hardware
            and grid_modes.mode = chosen.mode
    left join last_shown
        on
            chosen.run_id = last_shown.run_id
            and not chosen.present
    left join revisions as taken_away
        on
            wanted.source = taken_away.source
            and last_shown.until_position = taken_away.position;
