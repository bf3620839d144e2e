-- gaps_are_ranked: the cells of the grid are told apart, and exactly those that are not measured are ranked.
-- Grain:  one row where this is broken.
-- Reads:  coverage.
select
    count(*) as cells,
    count(gap_rank) as gaps,
    max(gap_rank) as last_rank
from coverage
having
    count(*) <> count(distinct hash(level, problem, computation, hardware, mode))
    or count(gap_rank) <> count(distinct gap_rank)
    or count(gap_rank) <> coalesce(max(gap_rank), 0)
    or bool_or((status = 'measured') <> (gap_rank is null))
    or bool_or(status = 'measured' and command is not null)
