-- intervals_apart: whether two widened intervals have no point in common: the figures differ beyond their own noise.
-- Grain:  a truth value; null where an end is.
-- Reads:  nothing.
-- Rule:   intervals that touch are not apart.
create or replace macro intervals_apart(one_low_ns, one_high_ns, other_low_ns, other_high_ns) as
one_low_ns > other_high_ns or one_high_ns < other_low_ns;
