-- severity_of: the gravest of some reasons of staleness.
-- Grain:  a text: error, warn or note; null without a reason.
-- Reads:  nothing.
-- Rule:   error: the figure does not answer for today's code (problem_changed, withdrawn, unreachable,
--         binding_doubtful). warn: it may not (toolchain_changed, harness_changed, source_unchecked). note: age.
create or replace macro severity_of(reasons) as
case
    when list_has_any(reasons, ['problem_changed', 'withdrawn', 'unreachable', 'binding_doubtful']) then 'error'
    when list_has_any(reasons, ['toolchain_changed', 'harness_changed', 'source_unchecked']) then 'warn'
    when len(reasons) > 0 then 'note'
end;
