-- records: who holds each cohort now.
-- Grain:  cohort.
-- Reads:  record_holders, runs, environments, workloads, leaderboard, staleness, repeatability.
-- Rule:   clear_between_sessions: clear, and the margin exceeds repeatability.limit_ratio, what repeated sessions show
--         on this host and GPU (or, with too few of them, on all hosts). Null: alone, or too few sessions anywhere.
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
    record_holders.clear
    and record_holders.margin_ratio > repeatability.limit_ratio as clear_between_sessions,
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
left join repeatability on runs.environment_id = repeatability.environment_id
inner join staleness on record_holders.run_id = staleness.run_id
left join leaderboard on record_holders.run_id = leaderboard.run_id;
