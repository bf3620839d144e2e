-- leaderboard: the runs that stand now, ranked within their cohort.
-- Grain:  present, eligible run.
-- Reads:  contenders, ranked, touched, eligibility.
-- Ties:   as in ranked.
delete from leaderboard
where cohort_id in (select cohort_id from touched_cohorts);

insert into leaderboard by name
with
standing as (
    select contenders.*
    from contenders() as contenders
    semi join touched_cohorts using (cohort_id)
    where contenders.present
)

select *
from ranked(standing);
