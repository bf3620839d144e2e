-- score_problems: the problems of a lineage and their code, as it was at one of its commits.
-- Grain:  level, problem.
-- Reads:  problem_versions, problem_codes, problems, problem_number.
-- Rule:   the version that began last by $position; at the newest commit (null) what the head shows. Of levels of which
--         results speak, or of all (null).
with
versions as (
    select
        level,
        problem,
        code_digest,
        compute_digest
    from problem_versions
    where source = $source and from_position <= $position::bigint
    qualify row_number() over (partition by level, problem order by from_position desc) = 1
    union all
    select
        level,
        problem,
        code_digest,
        compute_digest
    from problems
    where source = $source and $position::bigint is null
)

select
    level,
    problem_number(problem) as number,
    problem,
    code_digest,
    compute_digest
from versions
where $levels::varchar[] is null or list_contains($levels::varchar[], level)
order by level asc, number asc, problem asc;
