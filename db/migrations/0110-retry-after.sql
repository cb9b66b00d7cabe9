-- How long the model provider asked to wait before the step is tried again. The pause belongs to the step: the next
-- attempt keeps it, whichever process makes it.
alter table stream_head add column retry_after_ms integer;
