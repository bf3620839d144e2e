-- diff_figures: the figures of a source that differ between two of its positions.
-- Grain:  host, hardware, mode, level, problem that came, went or changed.
-- Reads:  figures_between, problem_number.
-- Rule:   changed ones first, the largest change either way first.
select *
from figures_between($source, $before, $after)
where
    what <> 'same'
    and ($host is null or host = $host)
    and ($level is null or level = $level)
order by
    greatest(ratio, 1 / ratio) desc nulls last,
    what asc,
    host asc,
    hardware asc,
    mode asc,
    level asc,
    problem_number(problem) asc,
    problem asc
