-- record_events: how each record moved, with everything that a person asks of an event.
-- Grain:  event, as in record_history.
-- Reads:  record_history, runs, environments, implementations, workloads.
-- Rule:   what a cohort is (source, host, GPU, problem) is that of its runs; a holder is null where nothing stands any
--         more, the holder before where there was none.
create or replace view record_events as
select
    record_history.cohort_id,
    record_history.position,
    record_history.revision,
    record_history.changed_at,
    record_history.cause,
    any_run.source,
    any_run.host,
    any_run.host_title,
    environments.hardware,
    any_run.gpu,
    environments.product,
    any_run.level,
    any_run.problem,
    any_run.problem_number,
    workloads.title,
    any_run.workload_id,
    any_run.code_digest,
    record_history.run_id,
    holder.mode,
    implementations.title as implementation,
    record_history.mean_ns,
    record_history.previous_run_id,
    before.mode as previous_mode,
    record_history.previous_mean_ns,
    record_history.improvement
from record_history
inner join runs as any_run on coalesce(record_history.run_id, record_history.previous_run_id) = any_run.run_id
inner join environments on any_run.environment_id = environments.environment_id
inner join workloads on any_run.workload_id = workloads.workload_id
left join runs as holder on record_history.run_id = holder.run_id
left join implementations on holder.mode = implementations.mode
left join runs as before on record_history.previous_run_id = before.run_id;
