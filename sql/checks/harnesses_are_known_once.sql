-- harnesses_are_known_once: a digest of timing scripts stands once, else every view that asks for it doubles its rows.
-- Grain:  digest that stands twice.
-- Reads:  harnesses.
select
    harness_digest,
    count(*) as times
from harnesses
group by harness_digest
having count(*) > 1
