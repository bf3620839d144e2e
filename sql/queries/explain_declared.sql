-- explain_declared: what a source declared from the revision where a figure first appeared up to its head; where that
-- is not reachable any more, there and at the head.
-- Grain:  tracked commit.
-- Reads:  declared_software, revisions, sources.
select
    declared.*,
    coalesce(revisions.committed_at, sources.head_at) as committed_at
from declared_software as declared
inner join sources on declared.source = sources.source
left join revisions
    on
        declared.source = revisions.source
        and declared.revision = revisions.revision
where
    declared.source = $source
    and (
        declared.revision = $revision
        or declared.position >= $position
        or ($position is null and declared.revision = sources.head)
    )
order by declared.position asc nulls first
