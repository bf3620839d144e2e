-- declared_software_is_whole: one row for each commit looked at, and where two files contradict, nothing is claimed.
-- Grain:  commit that breaks this.
-- Reads:  declared_software, revisions, sources.
with
counted as (
    select
        source,
        revision,
        any_value(position) as position,
        count(*) as times,
        bool_or(toolchain_conflict and toolchain is not null) as claimed
    from declared_software
    group by source, revision
)

select
    source,
    revision,
    counted.times
from commits() as tracked
full join counted using (source, revision)
where
    counted.times is distinct from 1
    or counted.claimed
    or (tracked.position is distinct from counted.position)
