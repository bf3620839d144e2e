-- gpus_measured: the GPUs on which anything was measured, as they were reported and as the registry knows them.
-- Grain:  reported hardware; null: none was reported.
-- Reads:  environments.
select distinct
    hardware,
    vendor,
    product,
    form_factor,
    architecture,
    memory_gb
from environments
