-- records: the records that a person asks for, the largest gain over eager first.
-- Grain:  cohort.
-- Reads:  records, implementations.
-- Rule:   nothing here compares cohorts: the order is for reading, by the parameter's name.
select
    records.level,
    records.problem,
    records.title,
    records.host,
    records.product,
    records.hardware,
    implementations.title as implementation,
    records.mode,
    records.mean_ns,
    (records.ci95_high_ns - records.ci95_low_ns) / 2 as ci95_half_ns,
    records.num_trials,
    records.vs_baseline,
    records.margin_ratio,
    records.clear,
    records.present,
    records.observed_at,
    records.held_since,
    records.stale,
    records.stale_reasons,
    records.source,
    records.cohort_id,
    records.run_id
from records
inner join implementations on records.mode = implementations.mode
where
    (records.present or $withdrawn)
    and ($level is null or records.level = $level)
    and ($host is null or records.host = $host)
    and ($source is null or records.source = $source)
    and ($gpu is null or concat_ws(' ', records.product, records.hardware) ilike '%' || $gpu || '%')
    and (
        $problem is null or concat_ws(' ', records.level || '/' || records.problem, records.title)
        ilike '%' || $problem || '%'
    )
order by
    records.vs_baseline desc nulls last, records.level asc, records.problem asc, records.host asc, records.cohort_id asc
limit $at_most
