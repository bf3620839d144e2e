-- problem_removals: when figures of one problem were taken away, with none in their place, by a moment.
-- Grain:  run, revision that no longer shows it.
-- Reads:  removals, implementations, environments.
-- Rule:   a return after the moment is not known yet.
select
    removals.host,
    coalesce(environments.product, environments.hardware, 'GPU not reported') as gpu,
    removals.mode,
    implementations.title as implementation,
    removals.mean_ns,
    removals.removed_at,
    removals.removed_revision,
    removals.whole_file,
    case when removals.returned_at <= $moment then removals.returned_at end as returned_at,
    case when removals.returned_at <= $moment then removals.returned_revision end as returned_revision,
    case when removals.returned_at <= $moment then removals.gap_days end as gap_days,
    removals.source,
    removals.run_id
from removals
inner join implementations on removals.mode = implementations.mode
left join environments
    on
        removals.source = environments.source
        and removals.host = environments.host
        and (removals.hardware is not distinct from environments.hardware)
where
    removals.level = $level
    and removals.problem = $problem
    and ($host is null or removals.host = $host)
    and ($mode is null or removals.mode = $mode)
    and removals.removed_at <= $moment
order by removals.removed_at asc, removals.host asc, removals.mode asc, removals.run_id asc
