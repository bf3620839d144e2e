-- quarantine_is_keyed: one row per place and reason.
-- Grain:  key that stands twice.
-- Reads:  quarantine.
select
    source,
    host,
    mode,
    level,
    problem_key,
    reason,
    count(*) as times
from quarantine
group by all
having count(*) > 1
