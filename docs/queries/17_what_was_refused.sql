-- What was refused rather than guessed, and why?
select
    reason,
    host,
    mode,
    level,
    count(*) as entries
from quarantine
group by reason, host, mode, level
order by reason, host, mode, level;
