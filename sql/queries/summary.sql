-- summary: how much of one source the published database holds.
-- Grain:  one row.
-- Reads:  sources, revisions, runs, environments, record_history.
-- Rule:   gpus: those that are reported or told, each name once. record_changes: how often a record went to another
--         mode.
with
shown as (
    select *
    from revisions
    where source = $source and reachable
),

own as (
    select *
    from runs
    where source = $source
),

events as (
    select record_history.*
    from record_history
    semi join own using (cohort_id)
)

select
    sources.source,
    sources.revisions,
    (select min(committed_at) from shown) as first_revision_at,
    sources.newest_revision_at,
    sources.head,
    (select count(*) from own) as runs,
    (
        select count(*) from own
        where present
    ) as present,
    (select count(distinct host) from own) as hosts,
    (
        select count(distinct coalesce(environments.known_as, environments.hardware))
        from own
        inner join environments using (environment_id)
    ) as gpus,
    (
        select count(*) from own
        where list_contains(ineligible_reasons, 'module_missing')
    ) as module_missing,
    (
        select count(*) from own
        where list_contains(ineligible_reasons, 'module_not_python')
    ) as module_not_python,
    (
        select count(*) from own
        where list_contains(ineligible_reasons, 'binding_doubtful')
    ) as doubtful,
    (
        select count(*) from own
        where not reachable
    ) as unreachable,
    (
        select count(*) from own
        where copy_of is not null
    ) as copies,
    (
        select count(distinct cohort_id) from own
        where eligible
    ) as records,
    (
        select count(distinct cohort_id) from own
        where eligible and present
    ) as records_present,
    (
        select count(*) from events
        where cause in ('faster', 'overtaken', 'holder_gone')
    ) as record_changes
from sources
where sources.source = $source
