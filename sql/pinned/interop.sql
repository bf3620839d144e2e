-- interop: interoperable digests at the newest revision of each source.
-- Grain:  run present there.
-- Reads:  batch_interop, batch_sources.
-- Rule:   pinned to the newest revision, so a source's rows are all replaced.
delete from interop
where source in (select source from batch_sources);

insert into interop by name select * from batch_interop;
