-- runs_are_eligible_for_a_reason: a run is ineligible exactly when it says why, and in a cohort when it is resolved.
-- Grain:  run that contradicts itself.
-- Reads:  runs.
select
    run_id,
    eligible,
    ineligible_reasons,
    workload_id,
    copy_of,
    reachable
from runs
where
    eligible <> (len(ineligible_reasons) = 0)
    or list_contains(ineligible_reasons, 'copy') <> (copy_of is not null)
    or list_contains(ineligible_reasons, 'unreachable') = reachable
    or list_contains(ineligible_reasons, 'workload_unresolved') <> (workload_id is null)
    or (cohort_id is null) <> (workload_id is null)
