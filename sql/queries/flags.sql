-- flags: which remarks the runs of one source carry.
-- Grain:  flag.
-- Reads:  runs.
select
    flag,
    count(*) as times
from (
    select unnest(flags) as flag
    from runs
    where source = $source
) as flagged
group by flag
order by times desc, flag asc
