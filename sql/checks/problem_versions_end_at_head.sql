-- problem_versions_end_at_head: a problem's versions begin with a module, each differs from the one before, each begins
-- at a commit that was looked at, and the last is what the head shows.
-- Grain:  problem or version that breaks this.
-- Reads:  problem_versions, problems, revisions, sources.
with
stepped as (
    select
        *,
        lag(present) over timeline as present_before,
        lag(code_digest) over timeline as code_before,
        lead(from_position) over timeline is null as is_last
    from problem_versions
    window timeline as (partition by source, level, problem order by from_position)
),

last_versions as (
    select *
    from stepped
    where is_last and present
)

select
    stepped.source,
    stepped.level,
    stepped.problem,
    stepped.from_position
from stepped
left join commits() as tracked
    on
        stepped.source = tracked.source
        and stepped.from_position = tracked.position
        and stepped.from_revision = tracked.revision
where
    tracked.revision is null
    or (stepped.present_before is null and not stepped.present)
    or (stepped.present = stepped.present_before and stepped.code_digest is not distinct from stepped.code_before)
    or (not stepped.present and stepped.code_digest is not null)
union all
select
    source,
    level,
    problem,
    last_versions.from_position
from last_versions
full join problems using (source, level, problem)
where
    last_versions.present is null
    or problems.blob is null
    or problems.code_digest is distinct from last_versions.code_digest
    or problems.compute_digest is distinct from last_versions.compute_digest
    or problems.workload_id is distinct from last_versions.workload_id
