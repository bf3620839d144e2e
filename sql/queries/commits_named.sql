-- commits_named: the commits looked at that a person may mean by the beginning of an id, by newest or by head.
-- Grain:  source, commit looked at.
-- Reads:  revisions, sources.
with
looked_at as (
    select
        source,
        position,
        revision,
        committed_at
    from revisions
    where reachable
    union all
    select
        source,
        revisions as position,
        head as revision,
        head_at as committed_at
    from sources
    where head <> newest_revision
)

select
    looked_at.source,
    looked_at.position,
    looked_at.revision,
    looked_at.committed_at
from looked_at
inner join sources on looked_at.source = sources.source
where
    ($source is null or looked_at.source = $source)
    and (
        starts_with(looked_at.revision, $name)
        or ($name = 'newest' and looked_at.revision = sources.newest_revision)
        or ($name = 'head' and looked_at.revision = sources.head)
    )
order by looked_at.source asc, looked_at.position asc
