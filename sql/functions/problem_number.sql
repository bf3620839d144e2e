-- problem_number: the number with which a problem's file name begins; null where there is none.
-- Grain:  a whole number.
-- Reads:  nothing.
create or replace macro problem_number(problem) as
try_cast(regexp_extract(problem, '^\d+') as bigint);
