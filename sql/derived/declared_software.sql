-- declared_software: what the repository declared at each tracked commit, as one statement. Declared, never measured.
-- Grain:  source, revision: each of commits.
-- Reads:  commits, harnesses.
-- Rule:   a requirement names a version where it pins one (== or ===; 2.9.* stands for every 2.9); the README's names
--         one with or without a local part (+cu124). toolchain_conflict: both name one and they differ; then torch, and
--         with it the toolchain, is unknown. Where only one of them names a version, that is it.
-- Note:   made anew at each publish: there are few commits.
delete from declared_software;

insert into declared_software by name
with
named as (
    select
        *,
        nullif(regexp_extract(requirements_torch, '===?v?(\d+(?:\.\d+)*)', 1), '') as required,
        coalesce(regexp_matches(requirements_torch, '===?[^,]*\.\*'), false) as required_any,
        nullif(regexp_extract(readme_torch, '^v?(\d+(?:\.\d+)*)', 1), '') as told
    from commits()
),

judged as (
    select
        *,
        coalesce(
            case
                when required_any then not starts_with(told || '.', required || '.')
                else required <> told
            end,
            false
        ) as toolchain_conflict
    from named
)

select
    judged.source,
    judged.position,
    judged.revision,
    judged.requirements_torch,
    judged.readme_torch,
    judged.readme_cuda,
    judged.toolchain_conflict,
    case
        when judged.toolchain_conflict then null
        when judged.told is not null or judged.required is not null
            then
                'torch '
                || coalesce(judged.told, judged.required || case when judged.required_any then '.*' else '' end)
                || coalesce(', CUDA ' || judged.readme_cuda, '')
    end as toolchain,
    judged.harness_digest,
    harnesses.l2_cleared as harness_l2_cleared
from judged
left join harnesses on judged.harness_digest = harnesses.harness_digest;
