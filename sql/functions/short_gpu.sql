-- short_gpu: a GPU in a word, as people say it: H100, RTX 4090, MI300X.
-- Grain:  a text; null where nothing was reported and nothing is known.
-- Reads:  nothing.
-- Rule:   its product, else what was reported, without the names of the maker and of its line in front.
create or replace macro short_gpu(product, hardware) as
regexp_replace(coalesce(product, hardware), '^(NVIDIA |AMD )?(GeForce |Instinct |Tesla )?', '');
