-- floors_stand_under_every_record: both floors once for each cohort with a holder; a floor is no shorter than what it
-- is made of, and where it is unknown so are its ratio and what binds it.
-- Grain:  cohort and view that break this.
-- Reads:  record_holders, headroom_v1, headroom_v2.
with
floors as (
    select
        'headroom_v1' as view_name,
        cohort_id,
        dram_ns,
        compute_ns,
        floor_ns,
        ratio,
        bound
    from headroom_v1
    union all
    select
        'headroom_v2' as view_name,
        cohort_id,
        dram_ns,
        compute_ns,
        floor_ns,
        ratio,
        bound
    from headroom_v2
),

expected as (
    select
        record_holders.cohort_id,
        names.view_name
    from record_holders
    cross join (values ('headroom_v1'), ('headroom_v2')) as names (view_name)
)

select
    expected.view_name,
    expected.cohort_id
from expected
left join floors
    on
        expected.cohort_id = floors.cohort_id
        and expected.view_name = floors.view_name
group by expected.view_name, expected.cohort_id
having
    count(floors.cohort_id) <> 1
    or bool_or(floors.floor_ns <= 0)
    or bool_or(floors.floor_ns < floors.dram_ns)
    or bool_or(floors.floor_ns < floors.compute_ns)
    or bool_or((floors.floor_ns is null) <> (floors.ratio is null))
    or bool_or((floors.floor_ns is null) <> (floors.bound is null))
