-- severities: what can be said against the figures that stand, by the gravest reason.
-- Grain:  source.
-- Reads:  sources, runs, staleness.
-- Rule:   copies aside: of these the original is judged. Of all sources, where $source is null.
select
    sources.source,
    count(runs.run_id) as stand,
    count(*) filter (where staleness.severity = 'error') as error,
    count(*) filter (where staleness.severity = 'warn') as warn,
    count(*) filter (where staleness.severity = 'note') as note,
    count(*) filter (where not staleness.stale) as nothing
from sources
left join runs
    on
        sources.source = runs.source
        and runs.present
        and runs.copy_of is null
left join staleness on runs.run_id = staleness.run_id
where $source is null or sources.source = $source
group by sources.source
order by sources.source asc
