-- declared_software_is_whole: one row for each commit looked at, and where two files contradict, nothing is claimed.
-- Grain:  commit that breaks this.
-- Reads:  declared_software, revisions, sources.
with
looked_at as (
    select
        source,
        position
    from revisions
    union all
    select
        source,
        revisions as position
    from sources
    where head <> newest_revision
),

counted as (
    select
        source,
        position,
        count(*) as times,
        bool_or(toolchain_conflict and toolchain is not null) as claimed
    from declared_software
    group by source, position
)

select
    source,
    position,
    counted.times
from looked_at
full join counted using (source, position)
where counted.times is distinct from 1 or counted.claimed
