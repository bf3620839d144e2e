-- repeatability_counts_all_pairs: each environment and class of duration has one row, every usable pair of a version
-- and the one before it is in it, and a limit rests on enough.
-- Grain:  environment and class that breaks this.
-- Reads:  repeatability, environments, baseline_history, runs, duration_class.
with
usable as (
    select
        run_id,
        mean_ns
    from runs
    where reachable and copy_of is null and not list_contains(ineligible_reasons, 'binding_doubtful')
),

counted as (
    select
        history.environment_id,
        duration_class(before.mean_ns) as duration_class,
        count(*) as pairs
    from baseline_history as history
    inner join usable on history.run_id = usable.run_id
    inner join usable as before on history.previous_run_id = before.run_id
    where history.reason = 'measured_again'
    group by history.environment_id, duration_class(before.mean_ns)
),

expected as (
    select
        environments.environment_id,
        classes.duration_class
    from environments
    cross join
        (values ('below 0.1 ms'), ('0.1 to 1 ms'), ('1 to 10 ms'), ('above 10 ms')) as classes (duration_class)
)

select
    coalesce(expected.environment_id, repeatability.environment_id) as environment_id,
    coalesce(expected.duration_class, repeatability.duration_class) as duration_class,
    repeatability.pairs,
    counted.pairs as found
from expected
full join repeatability
    on
        expected.environment_id = repeatability.environment_id
        and expected.duration_class = repeatability.duration_class
full join counted
    on
        repeatability.environment_id = counted.environment_id
        and repeatability.duration_class = counted.duration_class
where
    expected.environment_id is null
    or repeatability.environment_id is null
    or repeatability.pairs < coalesce(counted.pairs, 0)
    or repeatability.sessions > repeatability.pairs
    or repeatability.beyond_interval > repeatability.pairs
    or (repeatability.pairs = 0) <> (repeatability.p90_log_ratio is null)
    or repeatability.median_log_ratio > repeatability.p90_log_ratio
    or repeatability.p90_log_ratio > repeatability.max_log_ratio
    or (repeatability.limit_basis is not distinct from 'environment')
    <> (repeatability.pairs >= 30 and repeatability.sessions >= 2)
    or repeatability.limit_pairs < 30
    or repeatability.limit_sessions < 2
    or (repeatability.limit_ratio is null) <> (repeatability.limit_basis is null)
