-- copies_repeat_an_original: a copy has the figures of an original in another source that did not begin later.
-- Grain:  copy that does not.
-- Reads:  runs.
select
    copied.run_id,
    copied.copy_of
from runs as copied
left join runs as original on copied.copy_of = original.run_id
where
    copied.copy_of is not null
    and (
        original.run_id is null
        or original.copy_of is not null
        or original.copy_key <> copied.copy_key
        or original.source = copied.source
        or original.observed_at > copied.observed_at
    )
