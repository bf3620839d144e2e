-- refusals: what of one source was refused, by reason.
-- Grain:  reason, whether it was a whole file.
-- Reads:  quarantine.
select
    reason,
    problem_key is null as whole_file,
    count(*) as times,
    count(*) filter (where present) as standing,
    any_value(path order by last_revision, path) as example_path
from quarantine
where source = $source
group by all
order by whole_file desc, times desc, reason asc
