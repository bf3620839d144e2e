-- revisions_are_in_line: positions of a source count from 0 without a gap, and the last is its newest revision; those
-- that are not reachable have none.
-- Grain:  source that breaks this.
-- Reads:  revisions, sources.
select
    sources.source,
    sources.revisions,
    count(revisions.position) as found,
    max(revisions.position) as last_position
from sources
left join revisions on sources.source = revisions.source
group by sources.source, sources.revisions, sources.newest_revision
having
    count(*) filter (where revisions.reachable) <> sources.revisions
    or count(revisions.position) <> sources.revisions
    or count(distinct revisions.position) <> sources.revisions
    or max(revisions.position) <> sources.revisions - 1
    or arg_max(revisions.revision, revisions.position) is distinct from sources.newest_revision
    or bool_or(revisions.reachable <> (revisions.position is not null))
    or bool_or(revisions.reachable <> (revisions.unreachable_since is null))
