-- high_ns: the high end of a figure's interval: its 95 % interval, widened by rounding.
-- Grain:  a value in ns.
-- Reads:  nothing.
-- Rule:   see low_ns.
create or replace macro high_ns(ci95_high_ns, rounding_ns) as
ci95_high_ns + rounding_ns;
