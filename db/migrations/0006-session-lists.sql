-- Archived sessions are counted on every list of sessions.
create index sessions_archived on sessions (account_id, created_at desc, id) where status = 'archived';
-- Generated titles: is this name taken, and which of its numbers are.
create index sessions_title on sessions (account_id, title text_pattern_ops);
