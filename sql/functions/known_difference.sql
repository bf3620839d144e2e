-- known_difference: whether two facts are both known and differ: what is not known is held against nothing.
-- Grain:  a truth value, never null.
-- Reads:  nothing.
create or replace macro known_difference(one, other) as
coalesce(one <> other, false);
