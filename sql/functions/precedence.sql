-- precedence: what decides which of two runs of a cohort leads: the smaller one does.
-- Grain:  a value to order by.
-- Reads:  nothing.
-- Ties:   equal means stay with the run that appeared earlier in the lineage, by position and not by date, then the
--         mode's name; the id decides where all of it is equal, so that no order is left to chance.
create or replace macro precedence(mean_ns, first_position, mode, run_id) as
struct_pack(mean_ns := mean_ns, first_position := first_position, mode := mode, run_id := run_id);
