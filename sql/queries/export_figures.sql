-- export_figures: the figures that one host showed in one mode at a moment, as they were reported.
-- Grain:  level, problem.
-- Reads:  presence_as_of, runs, problem_number.
select
    runs.level,
    runs.problem,
    runs.hardware,
    runs.source_metrics
from presence_as_of($moment) as seen
inner join runs on seen.run_id = runs.run_id
where
    seen.until_position is null
    and runs.source = $source
    and runs.host = $host
    and runs.mode = $mode
order by runs.level asc, problem_number(runs.problem) asc, runs.problem asc;
