-- moved_baselines: figures of a source that became others after a moment.
-- Grain:  figure (host, mode, level, problem), its newest version since then.
-- Reads:  baseline_history.
-- Rule:   only versions that differ from the one before by more than their intervals and rounding, or of other code.
select
    level,
    problem,
    host,
    mode,
    reason,
    previous_mean_ns,
    mean_ns,
    ratio,
    beyond_interval,
    from_at as changed_at,
    from_revision as revision
from baseline_history
where
    source = $source
    and version > 1
    and from_at > $since::timestamp
    and (beyond_interval or reason <> 'measured_again')
    and ($level::varchar is null or level = $level)
    and ($host::varchar is null or host = $host)
qualify row_number() over (partition by host, hardware, mode, level, problem order by version desc) = 1
order by abs(ln(ratio)) desc nulls last, level asc, problem asc, host asc, mode asc;
