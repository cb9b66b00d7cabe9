-- The skills of a session's sandbox when somebody last looked: a turn asks the sandbox only when it may have changed since.
create table session_skills (
  session_id uuid primary key references sessions (id) on delete cascade,
  skills json not null,
  seen_at timestamptz not null
);
