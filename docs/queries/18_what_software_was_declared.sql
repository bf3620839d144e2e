-- Which software did the repository declare when the standing figures appeared? Declared, never measured.
select
    host,
    requirements_torch,
    readme_torch,
    readme_cuda,
    count(*) as runs,
    min(observed_at) as observed_at
from baselines
where present
group by host, requirements_torch, readme_torch, readme_cuda
order by host;
