-- When a survivor began to tell the engine what this process had in its hands when it died.
alter table process_reports add column answered_at timestamptz;
