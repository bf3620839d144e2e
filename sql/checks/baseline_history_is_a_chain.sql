-- baseline_history_is_a_chain: every interval of presence is one version; versions count from 1 without a gap; no two
-- of one figure stand at once; each but the first follows from the one before, with a reason unless a module is
-- missing.
-- Grain:  version, or interval of presence, that breaks this.
-- Reads:  baseline_history, presence.
with
stepped as (
    select
        *,
        lag(run_id) over timeline as run_before,
        lag(mean_ns) over timeline as mean_before,
        lag(workload_id) over timeline as workload_before,
        lag(coalesce(until_position, 9223372036854775807)) over timeline as end_before,
        row_number() over timeline as place
    from baseline_history
    window
        timeline as (
            partition by source, host, hardware, mode, level, problem
            order by version
        )
)

select
    stepped.run_id,
    stepped.version,
    presence.from_position
from stepped
full join presence
    on
        stepped.run_id = presence.run_id
        and stepped.from_position = presence.from_position
where
    stepped.run_id is null
    or presence.run_id is null
    or stepped.version <> stepped.place
    or (stepped.previous_run_id is distinct from stepped.run_before)
    or (stepped.ratio is distinct from stepped.mean_ns / stepped.mean_before)
    or stepped.end_before > stepped.from_position
    or (stepped.version = 1 and stepped.reason is not null)
    or (
        stepped.version > 1
        and stepped.reason is null
        and stepped.workload_id is not null
        and stepped.workload_before is not null
    )
    or (stepped.toolchain_conflict and stepped.toolchain is not null)
