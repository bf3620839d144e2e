-- harnesses: what the timing scripts of a commit do, by their digest.
-- Grain:  digest of the scripts.
-- Reads:  batch_harnesses, revisions, sources.
-- Rule:   kept as long as a commit has them; the same in every source that carries the scripts.
insert into harnesses by name
from batch_harnesses
anti join harnesses using (harness_digest);

delete from harnesses
where
    harness_digest not in (
        select harness_digest from revisions
        where harness_digest is not null
    )
    and harness_digest not in (
        select harness_digest from sources
        where harness_digest is not null
    );
