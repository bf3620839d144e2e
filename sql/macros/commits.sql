-- commits: every commit that the warehouse tracks, with what the repository declared there.
-- Grain:  source, revision.
-- Reads:  revisions, sources.
-- Rule:   the revisions, and a head that is none, at the position after the last revision. One that is not reachable
--         has no position.
create or replace macro commits() as table
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
    where head <> newest_revision;
