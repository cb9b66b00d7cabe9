-- What a run did with the repository at its natural end. A row is written before the first effect.
-- state: clean (nothing to do), pending (announced in the log), done (the result is in the log).
-- head: the current commit when the work began; one that has moved since tells a retry that the commit was made.
-- is_plain: the sandbox has no git; its files are committed through the code host.
-- base_commit: the remote commit that the work was rebased onto, for a sandbox that began at source_base.
create table turn_commits (
  run_id text primary key references runs (id) on delete cascade,
  session_id uuid not null,
  state text not null check (state in ('clean', 'pending', 'done')),
  changed boolean not null default false,
  is_plain boolean not null default false,
  head text,
  branch text,
  staged_diff text,
  message text,
  commit_sha text,
  committed boolean not null default false,
  pushed boolean not null default false,
  base_commit text,
  source_base text,
  error text,
  settled_at timestamptz,
  created_at timestamptz not null default now()
);
create index turn_commits_session on turn_commits (session_id, created_at desc);
create index runs_of_session on runs (session_id, created_at);

-- The commit that cached_diff was computed at with nothing uncommitted, and the run that last found it true.
alter table sessions add column diff_commit text, add column diff_run_id text;

create index workspace_repositories_name on workspace_repositories (repo_owner, repo_name);
