-- explain_refusals: what was refused of a host and mode.
-- Grain:  refusal.
-- Reads:  quarantine.
select
    level,
    problem_key,
    reason,
    detail,
    first_revision,
    last_revision,
    present
from quarantine
where source = $source and host = $host and mode = $mode
order by level asc, problem_key asc, reason asc
