-- change_reason: why one figure took another's place.
-- Grain:  a text: measured_again (equal code), else what workload_changes says of the two codes; null: not known.
-- Reads:  nothing.
create or replace macro change_reason(code_digest, previous_code_digest, change) as
case when code_digest = previous_code_digest then 'measured_again' else change end;
