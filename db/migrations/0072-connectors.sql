-- Services that people connected. Whose service it is (the subject) and in whose name it was connected (the workspace)
-- together say who may see and use it.
create table connector_connections (
  connected_account_id text primary key,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  toolkit text not null,
  active boolean not null,
  -- Set when a newer connection took its place, until the broker has forgotten it.
  replaced_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index connector_connections_entity on connector_connections (workspace_id, subject_id, toolkit)
  where replaced_at is null;
create index connector_connections_subject on connector_connections (subject_id);
create index connector_connections_replaced on connector_connections (replaced_at) where replaced_at is not null;
create trigger connector_connections_touch before update on connector_connections
  for each row execute function touch_updated_at();

-- What an authorization that is under way was asked for, under the hash of its state. Good once.
create table connector_states (
  state_hash text primary key,
  caller uuid not null references accounts (id) on delete cascade,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  toolkit text not null,
  -- Where the browser goes afterwards; null: nowhere.
  target text,
  -- The connection that the broker prepared; null until it has.
  connected_account_id text,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index connector_states_expires on connector_states (expires_at);

-- The catalog of an entity as its brokers gave it.
create table connector_catalogs (
  entity_id text primary key,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  -- Slugs of what the deployment offered then.
  toolkits text[] not null,
  fetched_at timestamptz not null,
  -- When somebody last began to fetch it anew because an action was not in it.
  forced_at timestamptz
);
create index connector_catalogs_workspace on connector_catalogs (workspace_id);
create index connector_catalogs_subject on connector_catalogs (subject_id);
create index connector_catalogs_fetched on connector_catalogs (fetched_at);

create table connector_actions (
  entity_id text not null references connector_catalogs (entity_id) on delete cascade,
  action_slug text not null,
  connector_slug text not null,
  name text not null,
  description text not null,
  parameters jsonb not null,
  file_fields text[] not null,
  primary key (entity_id, action_slug)
);

-- Files that were staged for actions of an entity. The key is ours; the broker knows the file by its own.
create table connector_files (
  key text primary key,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  toolkit text not null,
  name text not null,
  mimetype text not null,
  broker_key text not null,
  expires_at timestamptz not null
);
create index connector_files_expires on connector_files (expires_at);

-- Actions that were asked for under an Idempotency-Key, before they were: whoever finds one of a process that died must not
-- do it again, unless the service knows the key.
create table connector_calls (
  reference text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index connector_calls_created on connector_calls (created_at);
create index connector_calls_account on connector_calls (account_id);
