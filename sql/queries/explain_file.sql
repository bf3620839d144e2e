-- explain_file: the file in which a run first appeared, and what reading it gave.
-- Grain:  one row.
-- Reads:  files, runs.
-- Rule:   read: runs that first appeared in this very content of the file.
select
    files.path,
    files.blob,
    files.first_revision,
    files.last_revision,
    files.present,
    count(runs.run_id) as read,
    count(runs.run_id) filter (where len(runs.flags) > 0) as flagged,
    list_sort(list(distinct coalesce(runs.hardware, 'not reported'))) as gpus
from files
left join runs
    on
        files.source = runs.source
        and files.path = runs.path
        and files.blob = runs.blob
where files.source = $source and files.path = $path and files.blob = $blob
group by all
