-- The mail provider is read once for each reply, however long its chat is busy, and less often while it fails.
alter table mail_replies
  add column words text,
  add column failed_reads integer not null default 0,
  add column due_at timestamptz not null default now();
