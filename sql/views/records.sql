-- records: who holds each cohort now.
-- Grain:  cohort.
-- Reads:  record_holders, runs, environments, workloads, leaderboard, staleness.
-- Ties:   as in record_history.
create or replace view records as
select
    record_holders.cohort_id,
    record_holders.run_id,
    runs.source,
    runs.host,
    environments.hardware,
    environments.product,
    runs.level,
    runs.problem,
    workloads.title,
    workloads.family,
    runs.mode,
    runs.mean_ns,
    runs.ci95_low_ns,
    runs.ci95_high_ns,
    runs.rounding_ns,
    runs.num_trials,
    runs.observed_at,
    record_holders.held_since,
    record_holders.present,
    record_holders.clear,
    record_holders.margin_ratio,
    record_holders.next_run_id,
    record_holders.lead_changes,
    leaderboard.vs_baseline,
    leaderboard.cohort_size,
    staleness.stale,
    staleness.reasons as stale_reasons,
    staleness.age_days
from record_holders
inner join runs on record_holders.run_id = runs.run_id
inner join environments on runs.environment_id = environments.environment_id
inner join workloads on runs.workload_id = workloads.workload_id
inner join staleness on record_holders.run_id = staleness.run_id
left join leaderboard on record_holders.run_id = leaderboard.run_id;
