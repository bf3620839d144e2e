-- gpus_measured: the GPUs on which anything was measured, as reported or told, and as the registry knows them.
-- Grain:  name of the GPU; null: none was reported.
-- Reads:  environments.
select distinct
    coalesce(known_as, hardware) as hardware,
    vendor,
    product,
    form_factor,
    architecture,
    memory_gb
from environments
