-- noise_remarks_on_every_run: one row for each run; wide_spread is the flag noisy within rounding of the figures, eager
-- runs are compared with none, and files of several GPUs are remarked on for each run.
-- Grain:  run that breaks this.
-- Reads:  noise, runs, implementations.
with
cards as (
    select
        source,
        path,
        blob
    from runs
    where reachable
    group by source, path, blob
    having count(distinct coalesce(hardware, 'not reported')) > 1
)

select
    runs.run_id,
    noise.remarks
from runs
full join noise on runs.run_id = noise.run_id
left join implementations on runs.mode = implementations.mode
left join cards
    on
        runs.source = cards.source
        and runs.path = cards.path
        and runs.blob = cards.blob
where
    runs.run_id is null
    or noise.run_id is null
    or (
        list_contains(noise.remarks, 'wide_spread') <> list_contains(runs.flags, 'noisy')
        and abs(runs.std_ns - runs.mean_ns / 4) > 1
    )
    or list_contains(noise.remarks, 'mixed_gpus') <> (cards.source is not null)
    or (implementations.is_baseline and noise.eager_ns is not null)
    or (list_contains(noise.remarks, 'slower_than_eager') and noise.vs_eager <= 1)
