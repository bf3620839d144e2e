-- sources_followed: each lineage with its licence, what it holds of its own, and how it is.
-- Grain:  source.
-- Reads:  source_health, sources, runs.
-- Rule:   own: runs that are no copies of another source's. doubtful: those whose code the hardware contradicts. As in
--         source_health, what wants a look first.
with
held as (
    select
        source,
        count(*) as runs,
        count(*) filter (where copy_of is null) as own,
        count(*) filter (where copy_of is null and present) as own_present,
        count(*) filter (where copy_of is not null) as copies,
        count(*) filter (where list_contains(ineligible_reasons, 'binding_doubtful')) as doubtful
    from runs
    group by source
)

select
    health.source,
    sources.licence,
    sources.copyright,
    coalesce(held.runs, 0) as runs,
    coalesce(held.own, 0) as own,
    coalesce(held.own_present, 0) as own_present,
    coalesce(held.copies, 0) as copies,
    coalesce(held.doubtful, 0) as doubtful,
    health.* exclude (source)
from source_health as health
left join sources on health.source = sources.source
left join held on health.source = held.source
order by
    case health.status when 'stale' then 1 when 'failing' then 2 when 'unknown' then 3 when 'due' then 4 else 5 end asc,
    health.source asc
