-- gpu_name: what a GPU is called in a table: its product, else what was reported.
-- Grain:  a text.
-- Reads:  nothing.
create or replace macro gpu_name(product, hardware) as
coalesce(product, hardware, 'GPU not reported');
