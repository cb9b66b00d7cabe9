-- A log that nothing was written to by a model call stands before attempt 0, which is a head start.
alter table stream_head alter column fence set default -1;
