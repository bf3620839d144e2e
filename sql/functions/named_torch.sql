-- named_torch: the version of PyTorch that a requirement pins; null where it names none.
-- Grain:  a text.
-- Reads:  nothing.
-- Rule:   a requirement names a version where it pins one (== or ===); 2.9.* stands for every 2.9.
create or replace macro named_torch(requirement) as
nullif(regexp_extract(requirement, '===?v?(\d+(?:\.\d+)*(?:\.\*)?)', 1), '');
