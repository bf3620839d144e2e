-- binding_doubts_are_counted: every version of a timing file with figures of its own is judged, by just those figures.
-- Grain:  version that is not.
-- Reads:  binding_doubts, runs.
with
own as (
    select
        source,
        host,
        mode,
        path,
        blob,
        count(*) as figures
    from runs
    where reachable and copy_of is null and workload_id is not null
    group by source, host, mode, path, blob
)

select
    source,
    host,
    mode,
    path,
    blob
from own
full join binding_doubts using (source, host, mode, path, blob)
where
    own.figures is distinct from binding_doubts.figures
    or binding_doubts.figures_costed > binding_doubts.figures
    or binding_doubts.figures_below_floor > binding_doubts.figures
    or binding_doubts.doubtful <> (
        binding_doubts.figures_below_floor >= 20
        and binding_doubts.figures_below_floor * 10 >= binding_doubts.figures_costed
    )
