-- Who led on a past day (UTC), on which machines? Here: this problem on 10 July 2025.
select
    host,
    product,
    mode,
    mean_ns / 1e6::double as mean_ms,
    observed_at
from records_as_of('2025-07-10')
where
    present
    and level = 'level3'
    and problem = '28_VisionTransformer.py'
order by host;
