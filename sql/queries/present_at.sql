-- present_at: whether a run was present at a position of its source.
-- Grain:  one row where it did.
-- Reads:  presence.
select run_id
from presence
where
    run_id = $run_id
    and from_position <= $position
    and (until_position is null or until_position > $position)
