-- problem_copies: in which sources the figures of one problem are copies of another's, by a moment.
-- Grain:  source with copies.
-- Reads:  runs, presence_as_of, environments, names_gpu.
-- Rule:   copies: those shown by the moment; stand: of these, those present then.
select
    runs.source,
    list_sort(list(distinct originals.source)) as copied_from,
    count(distinct runs.run_id) as copies,
    count(distinct runs.run_id) filter (where presence.until_position is null) as stand
from runs
inner join presence_as_of($moment) as presence on runs.run_id = presence.run_id
inner join runs as originals on runs.copy_of = originals.run_id
inner join environments on runs.environment_id = environments.environment_id
where
    runs.level = $level
    and runs.problem = $problem
    and ($source is null or runs.source = $source)
    and ($host is null or runs.host = $host)
    and ($mode is null or runs.mode = $mode)
    and names_gpu(environments.product, environments.hardware, $gpu)
group by runs.source
order by copies desc, runs.source asc
