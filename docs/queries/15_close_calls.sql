-- How many standing records are too close to call: another interval, widened by rounding, overlaps the holder's?
select
    host,
    count(*) as records,
    count(*) filter (where not clear) as too_close,
    min(margin_ratio) as smallest_margin
from records
where present
group by host
order by host;
