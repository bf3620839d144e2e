-- problem_computations: what the codes of one problem compute: of each, which codes do, and whose head shows it.
-- Grain:  computation: compute digest, or, where the reader cannot tell it, code digest.
-- Reads:  problem_codes, problems, input_sizes, meta.
-- Rule:   the one at the head of upstream first, then by the number of lineages whose head shows it.
with
codes as (
    select
        workload_id,
        code_digest,
        coalesce(compute_digest, code_digest) as computation,
        list_transform(
            list_zip(from_json(inputs, '[{"name": "VARCHAR"}]'), input_sizes(inputs, axes)),
            lambda input: input[1]['name'] || ' ' || input[2]['dtype'] || ' ' || input[2]['sizes']::varchar
        ) as inputs
    from problem_codes
    where level = $level and problem = $problem
),

heads as (
    select
        problems.workload_id,
        problems.source,
        coalesce(problems.source = meta.value, false) as is_upstream
    from problems
    left join meta on meta.key = 'upstream'
    where problems.level = $level and problems.problem = $problem
)

select
    codes.computation,
    list_sort(list(distinct codes.code_digest)) as codes,
    any_value(codes.inputs) as inputs,
    coalesce(
        list(heads.source order by heads.is_upstream desc, heads.source asc) filter (where heads.source is not null), []
    ) as at_head_of,
    coalesce(bool_or(heads.is_upstream), false) as at_head_of_upstream
from codes
left join heads on codes.workload_id = heads.workload_id
group by codes.computation
order by at_head_of_upstream desc, len(at_head_of) desc, codes.computation asc
