-- noise: what speaks for looking twice at a figure, apart from its age and its code.
-- Grain:  run.
-- Reads:  runs, presence, implementations, run_floors, low_ns, high_ns.
-- Rule:   remarks, in this order: wide_spread (std > mean / 4), skewed (mean > 1.1 x the median, or, where none is
--         told, > 1.5 x the fastest trial), mixed_gpus (the file in which it first appeared holds figures of several
--         GPUs), same_on_other_host (the same mean, std, minimum, maximum and trials for the same problem and mode on
--         another host of the source), slower_than_eager (compiled, yet slower than the eager run that was present
--         beside it in its cohort when it first appeared, and the intervals, widened by rounding, do not overlap),
--         below_floor
--         (faster than the hardware permits for its code, see run_floors).
create or replace view noise as
with
cards as (
    select
        source,
        path,
        blob,
        list_sort(list(distinct coalesce(hardware, 'not reported'))) as file_gpus
    from runs
    where reachable
    group by source, path, blob
    having count(distinct coalesce(hardware, 'not reported')) > 1
),

twins as (
    select
        source,
        mode,
        level,
        problem,
        mean_ns,
        std_ns,
        min_ns,
        max_ns,
        num_trials,
        list_sort(list(distinct host)) as hosts
    from runs
    where reachable
    group by all
    having count(distinct host) > 1
),

began as (
    select
        run_id,
        min(from_position) as position
    from presence
    group by run_id
),

compared as (
    select
        runs.run_id,
        arg_min(eager.mean_ns, eager.run_id) as eager_ns,
        arg_min(high_ns(eager.ci95_high_ns, eager.rounding_ns), eager.run_id) as eager_high_ns
    from runs
    inner join implementations on runs.mode = implementations.mode
    inner join began on runs.run_id = began.run_id
    inner join runs as eager on runs.cohort_id = eager.cohort_id
    inner join implementations as baseline on eager.mode = baseline.mode
    inner join presence on eager.run_id = presence.run_id
    where
        not implementations.is_baseline
        and baseline.is_baseline
        and presence.from_position <= began.position
        and coalesce(presence.until_position > began.position, true)
    group by runs.run_id
),

floors as (
    select
        run_id,
        below_floor
    from run_floors(runs)
),

gathered as (
    select
        runs.run_id,
        runs.source,
        runs.host,
        runs.host_title,
        runs.hardware,
        runs.gpu,
        runs.mode,
        runs.level,
        runs.problem,
        runs.problem_number,
        runs.present,
        runs.mean_ns,
        runs.std_ns / runs.mean_ns as spread,
        runs.mean_ns / runs.min_ns as mean_over_min,
        runs.mean_ns / runs.median_ns as mean_over_median,
        cards.file_gpus,
        list_filter(twins.hosts, lambda host: host <> runs.host) as twin_hosts,
        compared.eager_ns,
        runs.mean_ns / compared.eager_ns as vs_eager,
        low_ns(runs.ci95_low_ns, runs.rounding_ns) > compared.eager_high_ns as slower_than_eager,
        coalesce(floors.below_floor, false) as below_floor
    from runs
    left join floors on runs.run_id = floors.run_id
    left join cards
        on
            runs.source = cards.source
            and runs.path = cards.path
            and runs.blob = cards.blob
    left join twins
        on
            runs.source = twins.source
            and runs.mode = twins.mode
            and runs.level = twins.level
            and runs.problem = twins.problem
            and runs.mean_ns = twins.mean_ns
            and runs.std_ns = twins.std_ns
            and runs.min_ns = twins.min_ns
            and runs.max_ns = twins.max_ns
            and runs.num_trials = twins.num_trials
    left join compared on runs.run_id = compared.run_id
)

select
    run_id,
    source,
    host,
    host_title,
    hardware,
    gpu,
    mode,
    level,
    problem,
    problem_number,
    present,
    mean_ns,
    spread,
    mean_over_min,
    file_gpus,
    twin_hosts,
    eager_ns,
    vs_eager,
    list_filter(
        [
            case when spread > 0.25::double then 'wide_spread' end,
            case when coalesce(mean_over_median > 1.1::double, mean_over_min > 1.5::double) then 'skewed' end,
            case when file_gpus is not null then 'mixed_gpus' end,
            case when twin_hosts is not null then 'same_on_other_host' end,
            case when slower_than_eager then 'slower_than_eager' end,
            case when below_floor then 'below_floor' end
        ],
        lambda remark: remark is not null
    ) as remarks
from gathered;
