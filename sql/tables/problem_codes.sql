-- problem_codes: what each code of a problem declares, measured or not.
-- Grain:  level, problem, code digest.
-- Reads:  batch_problem_codes, problem_versions, workloads.
-- Rule:   kept as long as a source showed it at a commit looked at, or a run measured it; the same in every source that
--         carries the module.
insert into problem_codes by name
from batch_problem_codes
anti join problem_codes using (workload_id);

delete from problem_codes
where
    workload_id not in (
        select workload_id from problem_versions
        where workload_id is not null
    )
    and workload_id not in (select workload_id from workloads);
