-- leaderboard: the rows of leaderboard in the order in which a snapshot holds them.
-- Grain:  as leaderboard.
-- Reads:  leaderboard.
from leaderboard
order by cohort_id, rank
