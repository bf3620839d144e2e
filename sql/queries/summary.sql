-- summary: how much of one source the published database holds.
-- Grain:  one row.
-- Reads:  sources, revisions, runs, record_history.
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
    (select count(distinct environment_id) from own) as environments,
    (
        select count(*) from own
        where reachable and not eligible
    ) as ineligible,
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
