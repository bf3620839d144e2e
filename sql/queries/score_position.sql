-- score_position: where in its line the newest commit of a source stood at a moment.
-- Grain:  one row; none where it had no commit by then.
-- Reads:  seen_as_of.
select position
from seen_as_of($moment)
where source = $source;
