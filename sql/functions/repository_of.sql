-- repository_of: the repository of a lineage: its name without root (//...) and branch (@...).
-- Grain:  a text.
-- Reads:  nothing.
create or replace macro repository_of(source) as
split_part(split_part(source, '//', 1), '@', 1);
