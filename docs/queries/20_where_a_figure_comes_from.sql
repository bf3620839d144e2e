-- Where does this figure stand in the source, and what exactly was written there?
select
    mode,
    url || '/blob/' || first_revision || '/' || path as link,
    source_metrics
from baselines
where
    present
    and host = 'H100_Modal'
    and level = 'level3'
    and problem = '28_VisionTransformer.py'
order by mode;
