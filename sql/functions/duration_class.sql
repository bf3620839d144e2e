-- duration_class: how long a forward pass takes, coarsely: short ones are noisier.
-- Grain:  a text.
-- Reads:  nothing.
create or replace macro duration_class(mean_ns) as
case
    when mean_ns < 100000 then 'below 0.1 ms'
    when mean_ns <= 1000000 then '0.1 to 1 ms'
    when mean_ns <= 10000000 then '1 to 10 ms'
    else 'above 10 ms'
end;
