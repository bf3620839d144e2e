-- names_gpu: whether a GPU is one that a person means: the words are part of its product or of what was reported.
-- Grain:  a truth value; no words mean every GPU.
-- Reads:  nothing.
create or replace macro names_gpu(product, hardware, words) as
words is null or concat_ws(' ', product, hardware) ilike '%' || words || '%';
