-- runs_are_eligible_for_a_reason: whatever bars a run from records is said, and nothing else is.
-- Grain:  run whose reasons do not agree with what is known of it.
-- Reads:  runs, binding_doubts.
select
    runs.run_id,
    runs.eligible,
    runs.ineligible_reasons,
    runs.workload_id,
    runs.copy_of,
    runs.reachable,
    binding_doubts.doubtful
from runs
left join binding_doubts
    on
        runs.source = binding_doubts.source
        and runs.host = binding_doubts.host
        and runs.mode = binding_doubts.mode
        and runs.path = binding_doubts.path
        and runs.blob = binding_doubts.blob
where
    runs.eligible <> (len(runs.ineligible_reasons) = 0)
    or list_contains(runs.ineligible_reasons, 'copy') <> (runs.copy_of is not null)
    or list_contains(runs.ineligible_reasons, 'unreachable') = runs.reachable
    or list_has_any(runs.ineligible_reasons, ['module_missing', 'module_not_python']) <> (runs.workload_id is null)
    or list_contains(runs.ineligible_reasons, 'binding_doubtful') <> (
        coalesce(binding_doubts.doubtful, false) and runs.copy_of is null and runs.reachable
    )
    or (runs.cohort_id is null) <> (runs.workload_id is null)
