-- files: versions of timing files and problem modules
-- Grain:  source, path, blob.
-- Reads:  batch_files, batch_sources.
-- Rule:   the batch describes its sources whole, so their rows are replaced.
delete from files
where source in (select source from batch_sources);

insert into files by name select * from batch_files;
