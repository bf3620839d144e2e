-- When did the code of the problems change, of how many, and of how many without changing what they compute?
select
    from_at,
    count(*) filter (where present and code_before is not null) as changed,
    count(*) filter (where present and compute_digest = compute_before) as same_computation,
    count(*) filter (where present and code_before is null) as added,
    count(*) filter (where not present) as removed
from (
    select
        *,
        lag(code_digest) over versions as code_before,
        lag(compute_digest) over versions as compute_before
    from problem_versions
    window versions as (partition by source, level, problem order by from_position)
) as stepped
group by from_at
order by from_at;
