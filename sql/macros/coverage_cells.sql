-- coverage_cells: for what the computations at head have been measured on, and for what they have not, without the rank
-- of the gaps.
-- Grain:  level, problem, computation at the head of a source (of all, where level and problem are null), GPU that was
--         ever reported, mode that was ever used.
-- Reads:  problems, runs, environments, implementations, workloads, revisions, presence, short_gpu.
-- Rule:   what is measured counts whichever lineage measured it: problems of equal computation are one line, sources
--         names the lineages whose head shows it. Code that cannot be read is a computation of its own. Of the eligible
--         runs of that computation on that GPU in that mode the first that holds: measured (a run that stands, of a
--         code at head), equivalent (a run of other code with equal computation, standing or withdrawn), withdrawn (a
--         run of a code at head, no longer shown), not_measured. GPUs and modes are those of original, reachable runs.
-- Ties:   of several runs that would do, the cell rests on the latest observed, then the fastest, then the first id.
create or replace macro coverage_cells(of_level, of_problem) as table
    with
    originals as (
        select
            runs.mode,
            environments.known_as,
            coalesce(environments.known_as, runs.hardware) as gpu
        from runs
        inner join environments on runs.environment_id = environments.environment_id
        where runs.reachable and runs.copy_of is null
    ),

    wanted as (
        select
            level,
            problem,
            coalesce(compute_digest, code_digest) as computation,
            any_value(title) as title,
            any_value(family) as family,
            list_sort(list(source)) as sources,
            list_distinct(list(code_digest)) as codes
        from problems
        where
            (of_level is null or level = of_level)
            and (of_problem is null or problem = of_problem)
        group by level, problem, coalesce(compute_digest, code_digest)
    ),

    grid_gpus as (
        select
            gpu as hardware,
            any_value(known.vendor) as vendor,
            any_value(known.product) as product,
            any_value(known.form_factor) as form_factor,
            any_value(known.memory_gb) as memory_gb
        from (select distinct gpu from originals) as reported
        left join environments as known on reported.gpu = known.known_as
        where gpu is not null
        group by gpu
    ),

    grid_modes as (
        select distinct
            originals.mode,
            implementations.title as implementation
        from originals
        inner join implementations on originals.mode = implementations.mode
    ),

    candidates as (
        select
            wanted.level,
            wanted.problem,
            wanted.computation,
            coalesce(environments.known_as, runs.hardware) as hardware,
            runs.mode,
            runs.run_id,
            runs.source,
            runs.host,
            runs.mean_ns,
            runs.observed_at,
            runs.present,
            case
                when not list_contains(wanted.codes, runs.code_digest) then 'equivalent'
                when runs.present then 'measured'
                else 'withdrawn'
            end as status
        from runs
        inner join workloads on runs.workload_id = workloads.workload_id
        inner join environments on runs.environment_id = environments.environment_id
        inner join wanted
            on
                runs.level = wanted.level
                and runs.problem = wanted.problem
                and coalesce(workloads.compute_digest, workloads.code_digest) = wanted.computation
        where runs.eligible and runs.hardware is not null
    ),

    chosen as (
        select *
        from candidates
        qualify row_number() over (
            partition by level, problem, computation, hardware, mode
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
        wanted.level,
        wanted.problem,
        wanted.computation,
        wanted.title,
        wanted.family,
        wanted.sources,
        grid_gpus.hardware,
        short_gpu(grid_gpus.product, grid_gpus.hardware) as gpu,
        grid_gpus.vendor,
        grid_gpus.product,
        grid_gpus.form_factor,
        grid_gpus.memory_gb,
        grid_modes.mode,
        grid_modes.implementation,
        coalesce(chosen.status, 'not_measured') as status,
        chosen.run_id,
        chosen.source,
        chosen.host,
        chosen.mean_ns,
        chosen.observed_at,
        chosen.present,
        taken_away.committed_at as withdrawn_at
    from wanted
    cross join grid_gpus
    cross join grid_modes
    left join chosen
        on
            wanted.level = chosen.level
            and wanted.problem = chosen.problem
            and wanted.computation = chosen.computation
            and grid_gpus.hardware = chosen.hardware
            and grid_modes.mode = chosen.mode
    left join last_shown
        on
            chosen.run_id = last_shown.run_id
            and not chosen.present
    left join revisions as taken_away
        on
            chosen.source = taken_away.source
            and last_shown.until_position = taken_away.position;
