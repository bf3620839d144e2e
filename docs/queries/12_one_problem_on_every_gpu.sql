-- On which GPUs was this problem measured, and what does each answer rest on?
select
    hardware,
    mode,
    status,
    host,
    mean_ns / 1e6::double as mean_ms,
    observed_at,
    withdrawn_at
from coverage
where
    level = 'level3'
    and problem = '28_VisionTransformer.py'
    and status <> 'not_measured'
order by hardware, mode;
