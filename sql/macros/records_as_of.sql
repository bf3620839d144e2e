-- records_as_of: who held each cohort at a moment (UTC, without a time zone attached).
-- Grain:  cohort that had a holder by then.
-- Reads:  runs, environments, workloads, record_holders_as_of, leaderboard_as_of, staleness_as_of, repeatability_as_of.
-- Ties:   as in record_history.
create or replace macro records_as_of(moment) as table
    select
        holders.cohort_id,
        holders.run_id,
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
        holders.held_since,
        holders.present,
        holders.clear,
        holders.clear
        and holders.margin_ratio > repeatability.limit_ratio as clear_between_sessions,
        holders.margin_ratio,
        holders.next_run_id,
        holders.lead_changes,
        standing.vs_baseline,
        standing.cohort_size,
        doubts.stale,
        doubts.reasons as stale_reasons,
        doubts.age_days
    from record_holders_as_of(moment) as holders
    inner join runs on holders.run_id = runs.run_id
    inner join environments on runs.environment_id = environments.environment_id
    inner join workloads on runs.workload_id = workloads.workload_id
    left join repeatability_as_of(moment) as repeatability on runs.environment_id = repeatability.environment_id
    inner join staleness_as_of(moment) as doubts on holders.run_id = doubts.run_id
    left join leaderboard_as_of(moment) as standing on holders.run_id = standing.run_id;
