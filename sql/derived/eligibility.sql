-- eligibility: which runs may hold a record, and why the others may not.
-- Grain:  sets eligible and ineligible_reasons of runs.
-- Reads:  runs, binding_doubts, batch_series, copies.
-- Rule:   reasons, in this order: those that the lineage alone decides and that came with the batch (unreachable,
--         module_missing, module_not_python), then copy (copies), then binding_doubtful (binding_doubts; a copy is not
--         doubted, since its original says what it measured). Eligible is what has none.
create or replace temp table decided_eligibility as
with
judged as (
    select
        runs.run_id,
        runs.cohort_id,
        runs.ineligible_reasons as reasons_before,
        list_filter(
            runs.ineligible_reasons, lambda reason: reason not in ('copy', 'binding_doubtful')
        ) || list_filter(
            [
                case when runs.copy_of is not null then 'copy' end,
                case
                    when runs.copy_of is null and runs.reachable and coalesce(binding_doubts.doubtful, false)
                        then 'binding_doubtful'
                end
            ],
            lambda reason: reason is not null
        ) as reasons
    from runs
    semi join doubted_series using (source, host, mode)
    left join binding_doubts
        on
            runs.source = binding_doubts.source
            and runs.host = binding_doubts.host
            and runs.mode = binding_doubts.mode
            and runs.path = binding_doubts.path
            and runs.blob = binding_doubts.blob
)

select *
from judged
where reasons <> reasons_before;

update runs
set
    eligible = len(decided_eligibility.reasons) = 0,
    ineligible_reasons = decided_eligibility.reasons
from decided_eligibility
where runs.run_id = decided_eligibility.run_id;

insert into touched_cohorts
select distinct cohort_id
from decided_eligibility
where
    cohort_id is not null
    and cohort_id not in (select cohort_id from touched_cohorts);
