-- records_among: record holders with all that a person asks of a record. The one place where a record is described.
-- Grain:  as holders.
-- Reads:  runs, environments, workloads, duration_class.
-- Rule:   names of relations, all as known at one moment: holders like record_holders, places like leaderboard and
--         last_places together, doubts like staleness, limits like repeatability. clear_between_sessions: clear, and
--         the margin exceeds the limit_ratio of limits for figures of its duration (macros/repeatability_as_of.sql).
--         Null: alone, or too few sessions anywhere.
create or replace macro records_among(holders, places, doubts, limits) as table
    select
        holder.cohort_id,
        holder.run_id,
        runs.source,
        runs.host,
        runs.host_title,
        environments.hardware,
        runs.gpu,
        environments.product,
        runs.level,
        runs.problem,
        runs.problem_number,
        workloads.title,
        workloads.family,
        runs.mode,
        runs.mean_ns,
        runs.ci95_low_ns,
        runs.ci95_high_ns,
        runs.rounding_ns,
        runs.num_trials,
        runs.observed_at,
        holder.held_since,
        holder.present,
        holder.clear,
        holder.clear
        and holder.margin_ratio > repeated.limit_ratio as clear_between_sessions,
        holder.margin_ratio,
        holder.next_run_id,
        holder.lead_changes,
        place.vs_baseline,
        place.cohort_size,
        doubt.stale,
        doubt.severity,
        doubt.reasons as stale_reasons,
        doubt.age_days
    from query_table(holders) as holder
    inner join runs on holder.run_id = runs.run_id
    inner join environments on runs.environment_id = environments.environment_id
    inner join workloads on runs.workload_id = workloads.workload_id
    left join query_table(limits) as repeated
        on
            runs.environment_id = repeated.environment_id
            and duration_class(runs.mean_ns) = repeated.duration_class
    inner join query_table(doubts) as doubt on holder.run_id = doubt.run_id
    left join query_table(places) as place on holder.run_id = place.run_id;
