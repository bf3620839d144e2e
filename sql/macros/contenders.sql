-- contenders: the runs that may lead a cohort, with all that decides which one does.
-- Grain:  eligible run.
-- Reads:  runs, implementations, revisions, low_ns, high_ns.
-- Rule:   first_position is that of the revision where the figures first appeared, in the order of the lineage.
create or replace macro contenders() as table
    select
        runs.cohort_id,
        runs.run_id,
        runs.source,
        runs.host,
        runs.level,
        runs.problem,
        runs.workload_id,
        runs.mode,
        runs.present,
        implementations.is_baseline,
        revisions.position as first_position,
        runs.mean_ns,
        low_ns(runs.ci95_low_ns, runs.rounding_ns) as low_ns,
        high_ns(runs.ci95_high_ns, runs.rounding_ns) as high_ns
    from runs
    inner join implementations on runs.mode = implementations.mode
    inner join revisions
        on
            runs.source = revisions.source
            and runs.first_revision = revisions.revision
    where runs.eligible;
