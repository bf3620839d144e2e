-- problem_identities: the interoperable digests of the runs of one problem at the newest revision.
-- Grain:  run present there.
-- Reads:  interop, runs.
select interop.*
from interop
inner join runs on interop.run_id = runs.run_id
where
    runs.level = $level
    and runs.problem = $problem
order by interop.external_id asc, interop.run_id asc
