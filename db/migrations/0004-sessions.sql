create table sessions (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  organization_id uuid,
  artist_id uuid,
  title text not null,
  status text not null default 'running' check (status in ('running', 'completed', 'failed', 'archived')),
  repo_owner text,
  repo_name text,
  branch text,
  clone_url text,
  is_new_branch boolean not null default false,
  global_skill_refs jsonb not null default '[]',
  sandbox_state jsonb,
  lifecycle_state text check (
    lifecycle_state in ('provisioning', 'active', 'hibernating', 'hibernated', 'restoring', 'archived', 'failed')
  ),
  lifecycle_version integer not null default 0,
  lifecycle_run_id text,
  lifecycle_error text,
  last_activity_at timestamptz,
  sandbox_started_at timestamptz,
  sandbox_expires_at timestamptz,
  hibernate_after timestamptz,
  lines_added integer default 0,
  lines_removed integer default 0,
  snapshot_url text,
  snapshot_created_at timestamptz,
  snapshot_size_bytes bigint,
  cached_diff jsonb,
  cached_diff_updated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_account on sessions (account_id, created_at desc, id);
create trigger sessions_touch before update on sessions for each row execute function touch_updated_at();

create table chats (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions (id) on delete cascade,
  title text not null,
  model_id text,
  active_stream_id text,
  last_assistant_message_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index chats_streaming on chats (active_stream_id) where active_stream_id is not null;
create index chats_session on chats (session_id, created_at, id);

-- A message is its row plus its parts: a step appends part rows and a tool result changes one,
-- so the cost of a turn grows with the turn and not with its square.
-- Parts are json and not jsonb: what was stored is returned with the same bytes.
create table chat_messages (
  chat_id uuid not null references chats (id) on delete cascade,
  id text not null,
  position bigint generated always as identity,
  role text not null check (role in ('user', 'assistant')),
  metadata json,
  created_at timestamptz not null default now(),
  primary key (chat_id, id)
);
create unique index chat_messages_position on chat_messages (chat_id, position);

create table chat_message_parts (
  chat_id uuid not null,
  message_id text not null,
  position integer not null,
  tool_call_id text,
  part json not null,
  primary key (chat_id, message_id, position),
  foreign key (chat_id, message_id) references chat_messages (chat_id, id) on delete cascade
);
create index chat_message_parts_tool_call on chat_message_parts (chat_id, message_id, tool_call_id)
  where tool_call_id is not null;

create table chat_reads (
  account_id uuid not null references accounts (id) on delete cascade,
  chat_id uuid not null references chats (id) on delete cascade,
  last_read_at timestamptz not null,
  primary key (account_id, chat_id)
);

-- Sandboxes of deleted sessions, waiting for their removal.
create table sandbox_removals (
  sandbox_name text primary key,
  state jsonb not null,
  created_at timestamptz not null default now()
);

-- Workspace repositories that are known to exist on the code host, by the account or organization that owns them.
create table workspace_repositories (
  owner_id uuid primary key references accounts (id) on delete cascade,
  repo_owner text not null,
  repo_name text not null,
  clone_url text not null,
  created_at timestamptz not null default now()
);
