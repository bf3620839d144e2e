-- problems_named: the problems that a person may mean by a name.
-- Grain:  level, problem.
-- Reads:  runs, problems, problem_number.
-- Rule:   of equal rank, what the head of a lineage shows goes before what stands in old runs alone.
--         rank 1: level3/28, level3/28_VisionTransformer(.py), 28_VisionTransformer(.py) or VisionTransformer, whatever
--         the case; rank 2: the name is part of it; rank 3: it looks alike.
with
known as (
    select
        level,
        problem,
        bool_or(at_head) as at_head
    from (
        select
            level,
            problem,
            false as at_head
        from runs
        union all
        select
            level,
            problem,
            true as at_head
        from problems
    ) as seen
    group by level, problem
),

named as (
    select
        level,
        problem,
        at_head,
        regexp_replace(problem, '\.py$', '') as stem,
        regexp_replace(problem, '^\d+_|\.py$', '', 'g') as short_name,
        regexp_extract(problem, '^\d+') as number
    from known
),

ranked as (
    select
        level,
        problem,
        at_head,
        case
            when
                list_contains(
                    list_transform(
                        [
                            level || '/' || number,
                            level || '/' || stem,
                            level || '/' || problem,
                            stem,
                            problem,
                            short_name,
                            replace(short_name, '_', ' ')
                        ],
                        lambda known_name: lower(known_name)
                    ),
                    lower($wanted)
                )
                then 1
            when contains(lower(level || '/' || stem), lower($wanted)) then 2
            when jaro_winkler_similarity(lower(short_name), lower($wanted)) > 0.85 then 3
        end as rank
    from named
)

select
    level,
    problem,
    at_head,
    rank
from ranked
where rank is not null
order by rank asc, at_head desc, level asc, problem_number(problem) asc, problem asc
