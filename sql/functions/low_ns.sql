-- low_ns: the low end of a figure's interval: its 95 % interval, widened by rounding.
-- Grain:  a value in ns.
-- Reads:  nothing.
-- Rule:   every comparison of two figures is made between widened intervals (low_ns, high_ns), never between means.
create or replace macro low_ns(ci95_low_ns, rounding_ns) as
ci95_low_ns - rounding_ns;
