-- repeatability: how far repeated measurements of the same workload disagree, beside what their intervals promise.
-- Grain:  environment (source, host, GPU).
-- Reads:  repeatability_as_of.
-- Rule:   of everything ever shown; the method is that of macros/repeatability_as_of.sql.
create or replace view repeatability as
select *
from repeatability_as_of('infinity');
