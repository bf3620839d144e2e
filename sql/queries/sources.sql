-- sources: what the warehouse holds of each source.
-- Grain:  source.
-- Reads:  sources, revisions, runs, environments, quarantine.
-- Rule:   gpus: those that are reported or told, each name once.
select
    sources.source,
    sources.revisions,
    sources.newest_revision,
    sources.newest_revision_at,
    sources.head,
    sources.head_at,
    count(runs.run_id) as runs,
    count(runs.run_id) filter (where runs.present) as present,
    (
        select count(*) from revisions
        where revisions.source = sources.source and not revisions.reachable
    ) as revisions_unreachable,
    count(runs.run_id) filter (where not runs.reachable) as runs_unreachable,
    count(distinct runs.host) as hosts,
    count(distinct coalesce(environments.known_as, environments.hardware)) as gpus,
    count(distinct runs.cohort_id) filter (where runs.eligible) as records,
    (
        select count(*) from quarantine
        where quarantine.source = sources.source
    ) as refused
from sources
left join runs on sources.source = runs.source
left join environments on runs.environment_id = environments.environment_id
group by all
order by sources.source
