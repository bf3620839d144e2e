-- lineages_held: what the database holds of some lineages, its own figures apart from those that others had first.
-- Grain:  source.
-- Reads:  sources, runs, environments.
-- Rule:   own: runs that are no copy of another source's. GPUs are those that are known, by what they are known as, and
--         those that are not, by what was reported.
select
    sources.source,
    sources.licence,
    sources.revisions,
    sources.newest_revision_at,
    count(runs.run_id) as runs,
    count(runs.run_id) filter (where runs.copy_of is null) as own_runs,
    count(runs.run_id) filter (where runs.copy_of is not null) as copies,
    count(runs.run_id) filter (where list_contains(runs.ineligible_reasons, 'binding_doubtful')) as doubtful,
    count(runs.run_id) filter (where list_contains(runs.ineligible_reasons, 'module_missing')) as module_missing,
    count(runs.run_id) filter (where runs.copy_of is null and runs.present) as own_present,
    list_sort(
        coalesce(
            list(distinct coalesce(environments.known_as, environments.hardware))
            filter (
                where
                runs.copy_of is null
                and coalesce(environments.known_as, environments.hardware) is not null
            ),
            []
        )
    ) as own_gpus
from sources
left join runs on sources.source = runs.source
left join environments on runs.environment_id = environments.environment_id
where list_contains($sources, sources.source)
group by sources.source, sources.licence, sources.revisions, sources.newest_revision_at
order by list_position($sources, sources.source) asc
