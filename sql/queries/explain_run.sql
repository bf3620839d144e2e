-- explain_run: one figure with all that is known of it in one row.
-- Grain:  one row.
-- Reads:  baselines, environments, noise, repeatability, binding_doubts, harnesses, runs, presence, revisions,
--         sources, meta, last_checks, duration_class.
select
    baselines.*,
    (baselines.ci95_high_ns - baselines.ci95_low_ns) / 2 as ci95_half_ns,
    noise.spread,
    noise.mean_over_min,
    noise.file_gpus,
    noise.twin_hosts,
    noise.vs_eager,
    noise.remarks,
    environments.known_as,
    environments.told_by,
    repeatability.pairs as repeated_pairs,
    repeatability.duration_class,
    repeatability.limit_basis,
    repeatability.limit_pairs,
    repeatability.limit_sessions,
    repeatability.limit_ratio,
    coalesce(binding_doubts.doubtful, false) as file_doubtful,
    binding_doubts.figures as file_figures,
    binding_doubts.figures_costed,
    binding_doubts.figures_below_floor,
    struct_pack(
        l2_cleared := harnesses.l2_cleared,
        first_trial_discarded := harnesses.first_trial_discarded,
        warm_up_trials := harnesses.warm_up_trials,
        timer := harnesses.timer,
        statistic := harnesses.statistic
    ) as harness_facts,
    sources.head,
    sources.head_at,
    sources.newest_revision,
    checks.checked_at,
    checks.stale_after_hours,
    (
        select min(presence.from_position) from presence
        where presence.run_id = $run_id
    ) as first_position,
    (
        select revisions.unreachable_since from revisions
        where revisions.source = baselines.source and revisions.revision = baselines.first_revision
    ) as unreachable_since,
    case when sources.head = sources.newest_revision then sources.revisions - 1 else sources.revisions end
        as head_position,
    (
        select list(copied.run_id order by copied.run_id) from runs as copied
        where copied.copy_of = $run_id
    ) as copied_by,
    (
        select meta.value::bigint from meta
        where meta.key = 'stale_after_days'
    ) as stale_after_days
from baselines
inner join sources on baselines.source = sources.source
inner join noise on baselines.run_id = noise.run_id
left join last_checks('infinity') as checks on baselines.source = checks.source
inner join environments on baselines.environment_id = environments.environment_id
left join repeatability
    on
        baselines.environment_id = repeatability.environment_id
        and duration_class(baselines.mean_ns) = repeatability.duration_class
left join binding_doubts
    on
        baselines.source = binding_doubts.source
        and baselines.host = binding_doubts.host
        and baselines.mode = binding_doubts.mode
        and baselines.path = binding_doubts.path
        and baselines.blob = binding_doubts.blob
left join harnesses on baselines.harness_digest = harnesses.harness_digest
where baselines.run_id = $run_id
