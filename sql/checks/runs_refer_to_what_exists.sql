-- runs_refer_to_what_exists: every run has its environment, protocol, source, revision and, if any, workload.
-- Grain:  run that lacks one.
-- Reads:  runs, environments, workloads, protocols, revisions, implementations.
select
    runs.run_id,
    environments.environment_id is null as no_environment,
    protocols.protocol_id is null as no_protocol,
    revisions.revision is null as no_revision,
    implementations.mode is null as no_implementation
from runs
left join environments on runs.environment_id = environments.environment_id
left join protocols on runs.protocol_id = protocols.protocol_id
left join revisions
    on
        runs.source = revisions.source
        and runs.first_revision = revisions.revision
left join implementations on runs.mode = implementations.mode
left join workloads on runs.workload_id = workloads.workload_id
where
    environments.environment_id is null
    or protocols.protocol_id is null
    or revisions.revision is null
    or implementations.mode is null
    or (runs.workload_id is not null and workloads.workload_id is null)
