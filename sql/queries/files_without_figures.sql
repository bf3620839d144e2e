-- files_without_figures: the files of one source, shown now, of which every entry is refused.
-- Grain:  path.
-- Reads:  quarantine, runs.
-- Rule:   no run stands of the host, mode and levels of what was refused there.
select
    refused.path,
    count(*) as entries,
    mode(refused.reason) as reason
from quarantine as refused
left join runs
    on
        refused.source = runs.source
        and refused.host = runs.host
        and refused.mode = runs.mode
        and refused.level = runs.level
        and runs.present
where
    refused.source = $source
    and refused.present
    and refused.problem_key is not null
group by refused.path
having count(runs.run_id) = 0
order by refused.path asc
