-- seen_as_of: the newest commit of each source that was committed by a moment, and what it declares.
-- Grain:  source that had a commit by then.
-- Reads:  commits.
-- Rule:   the one meaning of "as of", used by every view, macro and query: the newest is the last in the lineage's
--         order among those committed by then. Where committer dates run backwards, position decides.
create or replace macro seen_as_of(seen_until) as table
    select *
    from commits()
    where position is not null and committed_at <= seen_until::timestamp
    qualify row_number() over (partition by source order by position desc) = 1;
