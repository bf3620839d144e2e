-- gaps_are_ranked: coverage has each cell once; its gaps are ranked from 1 without a gap, and what is measured is none.
-- Grain:  source that breaks this.
-- Reads:  coverage.
select
    source,
    count(*) as cells,
    count(gap_rank) as gaps,
    max(gap_rank) as last_rank
from coverage
group by source
having
    count(*) <> count(distinct hash(level, problem, hardware, mode))
    or count(gap_rank) <> count(distinct gap_rank)
    or count(gap_rank) <> max(gap_rank)
    or bool_or((status = 'measured') <> (gap_rank is null))
    or bool_or(status = 'measured' and command is not null)
