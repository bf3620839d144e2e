-- explain_presence: the versions of the figure that a run belongs to, in their order.
-- Grain:  version.
-- Reads:  baseline_history, runs.
select history.*
from baseline_history as history
inner join runs
    on
        history.source = runs.source
        and history.host = runs.host
        and history.mode = runs.mode
        and history.level = runs.level
        and history.problem = runs.problem
        and (history.hardware is not distinct from runs.hardware)
where runs.run_id = $run_id
order by history.version asc
