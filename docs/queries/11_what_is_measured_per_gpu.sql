-- For how many problem and mode pairs is each GPU measured, only equivalently, no longer, or not at all?
select
    hardware,
    count(*) filter (where status = 'measured') as measured,
    count(*) filter (where status = 'equivalent') as equivalent,
    count(*) filter (where status = 'withdrawn') as withdrawn,
    count(*) filter (where status = 'not_measured') as not_measured
from coverage
group by hardware
order by hardware;
