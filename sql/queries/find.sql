-- find: what in the warehouse has a digest that begins so.
-- Grain:  kind of digest, digest, what it is of.
-- Reads:  interop, runs, workloads, problems, environments, protocols, files, revisions, sources.
-- Rule:   at most 50; a digest of many things is told once, with how many.
with
known as (
    select
        'operation, interoperable' as what,
        operation_digest as digest,
        regexp_extract(external_id, '[^/]+/[^/]+$') as name,
        source
    from interop
    union all
    select
        'workload, interoperable' as what,
        workload_digest as digest,
        regexp_extract(external_id, '[^/]+/[^/]+$') as name,
        source
    from interop
    union all
    select
        'implementation, interoperable' as what,
        implementation_digest as digest,
        regexp_replace(external_id, '^[^/]+/', '') as name,
        source
    from interop
    union all
    select
        'environment, interoperable' as what,
        environment_digest as digest,
        regexp_extract(external_id, '^[^/]+') as name,
        source
    from interop
    union all
    select
        'protocol, interoperable' as what,
        'sha256:' || protocol_id as digest,
        title as name,
        null as source
    from protocols
    union all
    select
        'run, interoperable' as what,
        run_digest as digest,
        external_id as name,
        source
    from interop
    union all
    select
        'run' as what,
        run_id as digest,
        concat_ws('/', host, mode, level, problem) as name,
        source
    from runs
    union all
    select
        'cohort' as what,
        cohort_id as digest,
        concat_ws('/', host, level, problem) as name,
        source
    from runs
    union all
    select
        'environment' as what,
        environment_id as digest,
        concat_ws(' on ', hardware, host) as name,
        source
    from environments
    union all
    select
        'workload' as what,
        workload_id as digest,
        concat_ws('/', level, problem) as name,
        null as source
    from workloads
    union all
    select
        'code' as what,
        code_digest as digest,
        concat_ws('/', level, problem) as name,
        null as source
    from workloads
    union all
    select
        'computation' as what,
        compute_digest as digest,
        concat_ws('/', level, problem) as name,
        null as source
    from workloads
    union all
    select
        'code at head' as what,
        code_digest as digest,
        concat_ws('/', level, problem) as name,
        source
    from problems
    union all
    select
        kind || ' file' as what,
        blob as digest,
        path as name,
        source
    from files
    union all
    select
        'revision' as what,
        revision as digest,
        strftime(committed_at, '%Y-%m-%d') as name,
        source
    from revisions
    union all
    select
        'timing scripts' as what,
        harness_digest as digest,
        'first seen ' || strftime(min(committed_at), '%Y-%m-%d') as name,
        source
    from revisions
    group by all
)

select
    what,
    digest,
    min(name) || case when count(distinct name) > 1 then ' and ' || count(distinct name) - 1 || ' more' else '' end
        as name,
    min(source) as source
from known
where starts_with(replace(digest, 'sha256:', ''), $beginning)
group by what, digest
order by what asc, digest asc
limit 50
