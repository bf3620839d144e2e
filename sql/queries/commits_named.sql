-- commits_named: the tracked commits that a person may mean by the beginning of an id, by newest or by head.
-- Grain:  source, tracked commit.
-- Reads:  revisions, sources.
select
    tracked.source,
    tracked.position,
    tracked.revision,
    tracked.committed_at
from commits() as tracked
inner join sources on tracked.source = sources.source
where
    tracked.position is not null
    and ($source is null or tracked.source = $source)
    and (
        starts_with(tracked.revision, $name)
        or ($name = 'newest' and tracked.revision = sources.newest_revision)
        or ($name = 'head' and tracked.revision = sources.head)
    )
order by tracked.source asc, tracked.position asc
