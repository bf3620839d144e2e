-- seen_as_of: the newest commit of each source that was looked at by a moment, and what it declares.
-- Grain:  source that had a revision by then.
-- Reads:  revisions, sources.
-- Rule:   the newest is the last in the lineage's order among those committed by then; a head that is no revision
--         counts, at the position after the last revision.
create or replace macro seen_as_of(seen_until) as table
    with
    looked_at as (
        select
            source,
            position,
            revision,
            committed_at,
            requirements_torch,
            readme_torch,
            readme_cuda,
            harness_digest
        from revisions
        where reachable
        union all
        select
            source,
            revisions as position,
            head as revision,
            head_at as committed_at,
            requirements_torch,
            readme_torch,
            readme_cuda,
            harness_digest
        from sources
        where head <> newest_revision
    )

    select *
    from looked_at
    where committed_at <= seen_until::timestamp
    qualify row_number() over (partition by source order by position desc) = 1;
