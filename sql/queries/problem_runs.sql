-- problem_runs: every run of one problem, as it stood at a moment.
-- Grain:  run observed by then.
-- Reads:  baselines, leaderboard_as_of, staleness_as_of, implementations.
-- Rule:   those that stand, by rank, then those withdrawn, the latest first.
select
    baselines.run_id,
    baselines.cohort_id,
    baselines.source,
    baselines.host,
    baselines.host_title,
    baselines.hardware,
    coalesce(baselines.product, baselines.hardware, 'GPU not reported') as gpu,
    baselines.form_factor,
    baselines.memory_gb,
    baselines.mode,
    baselines.implementation,
    implementations.framework,
    implementations.is_baseline,
    baselines.mean_ns,
    (baselines.ci95_high_ns - baselines.ci95_low_ns) / 2 as ci95_half_ns,
    baselines.rounding_ns,
    baselines.num_trials,
    standing.rank,
    standing.rank_shared,
    standing.cohort_size,
    standing.vs_first,
    standing.vs_baseline,
    baselines.observed_at,
    baselines.first_revision,
    standing.run_id is not null as stands,
    staleness.withdrawn_at,
    staleness.age_days,
    staleness.stale,
    staleness.reasons as stale_reasons,
    staleness.equivalent,
    staleness.change,
    baselines.eligible,
    baselines.ineligible_reasons,
    baselines.flags,
    baselines.copy_of,
    baselines.path,
    baselines.blob,
    baselines.url,
    baselines.environment_id,
    baselines.workload_id,
    baselines.code_digest,
    baselines.compute_digest
from baselines
inner join implementations on baselines.mode = implementations.mode
inner join staleness_as_of($moment) as staleness on baselines.run_id = staleness.run_id
left join leaderboard_as_of($moment) as standing on baselines.run_id = standing.run_id
where
    baselines.level = $level
    and baselines.problem = $problem
    and ($host is null or baselines.host = $host)
    and ($gpu is null or concat_ws(' ', baselines.product, baselines.hardware) ilike '%' || $gpu || '%')
order by
    stands desc, standing.rank asc nulls last, baselines.mean_ns asc, baselines.observed_at desc, baselines.run_id asc
