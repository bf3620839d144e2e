-- leaderboard: the rows of leaderboard in the order in which a snapshot holds them.
-- Grain:  as leaderboard.
-- Reads:  leaderboard.
select *
from leaderboard
order by cohort_id, rank
