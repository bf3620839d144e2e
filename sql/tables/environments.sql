-- environments: one GPU model behind one host folder of one source.
-- Grain:  environment.
-- Reads:  batch_environments, runs.
-- Rule:   kept as long as a run was measured there.
create table if not exists environments as
select *
from batch_environments
where false;

delete from environments
where environment_id in (select environment_id from batch_environments);

insert into environments by name select * from batch_environments;

delete from environments
where environment_id not in (select environment_id from runs);
