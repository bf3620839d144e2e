-- quarantine: what was refused, with the reason.
-- Grain:  source, host, mode, level, problem_key, reason.
-- Reads:  batch_quarantine, batch_series, batch_sources.
-- Rule:   replaced_refusals, temporary: what was known of touched series before. The rows of touched series are
--         replaced; of the others, what still stands stands at the newest revision.
create or replace temp table replaced_refusals as
select
    source,
    host,
    mode,
    level,
    problem_key,
    reason
from quarantine
where (source, host, mode) in (select (source, host, mode) from batch_series);

delete from quarantine
where (source, host, mode) in (select (source, host, mode) from batch_series);

update quarantine
set last_revision = batch_sources.newest_revision
from batch_sources
where
    quarantine.source = batch_sources.source
    and quarantine.present;

insert into quarantine by name select * from batch_quarantine;
