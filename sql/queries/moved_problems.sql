-- moved_problems: problems of a source that were given other code, or came, after a moment.
-- Grain:  version of a problem.
-- Reads:  problem_versions.
-- Rule:   what the first commit showed did not come, it was there. equivalent: the same is computed as before.
with
versions as (
    select
        level,
        problem,
        from_position,
        from_at,
        from_revision,
        compute_digest,
        lag(code_digest) over of_problem as previous_code,
        lag(compute_digest) over of_problem as previous_compute
    from problem_versions
    where source = $source
    window of_problem as (partition by level, problem order by from_position)
)

select
    level,
    problem,
    case when previous_code is null then 'new' else 'changed' end as what,
    coalesce(compute_digest = previous_compute, false) as equivalent,
    from_at as changed_at,
    from_revision as revision
from versions
where
    from_position > 0
    and from_at > $since::timestamp
    and ($level::varchar is null or level = $level)
order by level asc, problem asc, changed_at asc;
