-- repeatability_counts_all_pairs: one row for each environment; its pairs are the versions that were measured again
-- there, its figures are in order, and a limit rests on enough pairs.
-- Grain:  environment that breaks this.
-- Reads:  repeatability, environments, baseline_history.
with
counted as (
    select
        environment_id,
        count(*) as pairs
    from baseline_history
    where reason = 'measured_again'
    group by environment_id
),

told as (
    select
        coalesce(environments.environment_id, repeatability.environment_id) as environment_id,
        environments.environment_id is null or repeatability.environment_id is null as incomplete,
        repeatability.pairs,
        repeatability.beyond_interval,
        repeatability.median_change,
        repeatability.p90_change,
        repeatability.max_change,
        repeatability.limit_basis,
        repeatability.limit_pairs,
        repeatability.limit_ratio
    from environments
    full join repeatability on environments.environment_id = repeatability.environment_id
)

select
    coalesce(told.environment_id, counted.environment_id) as environment_id,
    told.pairs,
    counted.pairs as found
from told
full join counted on told.environment_id = counted.environment_id
where
    told.environment_id is null
    or told.incomplete
    or told.pairs <> coalesce(counted.pairs, 0)
    or told.beyond_interval > told.pairs
    or (told.pairs = 0) <> (told.p90_change is null)
    or told.median_change > told.p90_change
    or told.p90_change > told.max_change
    or (told.limit_basis is not distinct from 'host') <> (told.pairs >= 30)
    or told.limit_pairs < told.pairs
    or (told.limit_ratio is null) <> (told.limit_basis is null)
