-- costs_are_whole: a workload's traced costs are all known, or none is and the reason is.
-- Grain:  workload that has some of them.
-- Reads:  workloads.
select
    workload_id,
    flops,
    parameter_bytes,
    input_bytes,
    output_bytes,
    not_traced
from workloads
where
    (flops is null) <> (not_traced is not null)
    or (parameter_bytes is null) <> (flops is null)
    or (input_bytes is null) <> (flops is null)
    or (output_bytes is null) <> (flops is null)
