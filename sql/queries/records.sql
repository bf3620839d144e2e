-- records: the records that a person asks for.
-- Grain:  cohort.
-- Reads:  records, records_as_of, record_history_as_of, implementations, names_gpu, problem_number.
-- Rule:   matching*: how many there are in all, and of each severity. As they stand, or, where $moment is given, as
--         they were then. Nothing here compares cohorts: the order,
--         by the name in $sort, is for reading: gain over eager, date since when it is held, improvement at the last
--         change, margin over the next, changes of the lead, name.
with
chosen as (
    select *
    from records
    where $moment is null
    union all
    select *
    from records_as_of(coalesce($moment::timestamp, '2000-01-01'::timestamp))
    where $moment is not null
),

moved as (
    select
        cohort_id,
        arg_max(improvement, position) as improvement
    from record_history_as_of(coalesce($moment::timestamp, 'infinity'::timestamp))
    where improvement is not null
    group by cohort_id
)

select
    chosen.level,
    chosen.problem,
    chosen.title,
    chosen.host,
    chosen.product,
    chosen.hardware,
    implementations.title as implementation,
    chosen.mode,
    chosen.mean_ns,
    (chosen.ci95_high_ns - chosen.ci95_low_ns) / 2 as ci95_half_ns,
    chosen.rounding_ns,
    chosen.num_trials,
    chosen.vs_baseline,
    chosen.margin_ratio,
    chosen.clear,
    chosen.clear_between_sessions,
    chosen.present,
    chosen.observed_at,
    chosen.held_since,
    chosen.lead_changes,
    moved.improvement,
    chosen.stale,
    chosen.severity,
    chosen.stale_reasons,
    chosen.age_days,
    chosen.source,
    chosen.cohort_id,
    chosen.run_id,
    count(*) over () as matching,
    count(*) filter (where chosen.severity = 'error') over () as matching_error,
    count(*) filter (where chosen.severity = 'warn') over () as matching_warn,
    count(*) filter (where chosen.severity = 'note') over () as matching_note
from chosen
inner join implementations on chosen.mode = implementations.mode
left join moved on chosen.cohort_id = moved.cohort_id
where
    (chosen.present or $withdrawn)
    and ($level is null or chosen.level = $level)
    and ($host is null or chosen.host = $host)
    and ($mode is null or chosen.mode = $mode)
    and ($source is null or chosen.source = $source)
    and ($family is null or chosen.family = $family)
    and ($reason is null or list_contains(chosen.stale_reasons, $reason))
    and ($clear is null or chosen.clear = $clear)
    and names_gpu(chosen.product, chosen.hardware, $gpu)
    and (
        $problem is null or concat_ws(' ', chosen.level || '/' || chosen.problem, chosen.title)
        ilike '%' || $problem || '%'
    )
order by
    case $sort
        when 'gain' then chosen.vs_baseline
        when 'date' then epoch(chosen.held_since)
        when 'improvement' then moved.improvement
        when 'margin' then chosen.margin_ratio
        when 'changes' then chosen.lead_changes
    end desc nulls last,
    chosen.level asc,
    problem_number(chosen.problem) asc,
    chosen.host asc,
    chosen.cohort_id asc
limit $at_most
