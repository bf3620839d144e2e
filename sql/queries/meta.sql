-- meta: facts about the database itself.
-- Grain:  key.
-- Reads:  meta.
select
    key,
    value
from meta
order by key
