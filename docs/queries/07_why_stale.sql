-- Why can figures that stand not be taken at face value? Counted as of a fixed day; for today, read staleness instead.
select
    reason,
    count(*) as runs
from (
    select unnest(reasons) as reason
    from staleness_as_of('2026-03-06')
    where withdrawn_at is null
) as doubts
group by reason
order by runs desc, reason asc;
