-- Connections to services of third parties.

-- Connected services. subject_id: whose service it is; workspace_id: in whose name it was connected. Together they
-- decide who may see and use it.
create table connector_connections (
  connected_account_id text primary key,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  toolkit text not null,
  active boolean not null,
  -- Set when a newer connection replaced it, until the broker has deleted it.
  replaced_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The account at the service, as the service names it.
  account_name text,
  failures integer not null default 0,
  retry_at timestamptz not null default now()
);
create unique index connector_connections_entity on connector_connections (workspace_id, subject_id, toolkit)
  where replaced_at is null;
create index connector_connections_workspace on connector_connections (workspace_id);
create index connector_connections_subject on connector_connections (subject_id);
create index connector_connections_replaced on connector_connections (replaced_at) where replaced_at is not null;
create trigger connector_connections_touch before update on connector_connections
  for each row execute function touch_updated_at();

-- Authorizations under way, by the hash of their state, which is valid once. A connection is stored when the account
-- that began it confirms it, on a page that names both accounts. One that is not confirmed in time is revoked at the
-- broker.
create table connector_states (
  state_hash text primary key,
  caller uuid not null references accounts (id) on delete cascade,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  toolkit text not null,
  -- Where the browser is redirected afterwards; null: nowhere.
  target text,
  -- The connection that the broker prepared; null until then.
  connected_account_id text,
  expires_at timestamptz not null,
  used_at timestamptz,
  confirm_hash text unique,
  account_name text,
  failures integer not null default 0,
  retry_at timestamptz not null default now()
);
create index connector_states_expires on connector_states (expires_at);

-- The action catalog of an entity as its brokers returned it.
create table connector_catalogs (
  entity_id text primary key,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  -- Slugs that the deployment offered then.
  toolkits text[] not null,
  fetched_at timestamptz not null,
  -- When a fetch last began because an action was missing.
  forced_at timestamptz
);
create index connector_catalogs_workspace on connector_catalogs (workspace_id);
create index connector_catalogs_subject on connector_catalogs (subject_id);
create index connector_catalogs_fetched on connector_catalogs (fetched_at);

-- Actions of a catalog.
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

-- Files staged for actions of an entity. key is ours; broker_key is null until the broker has named the file. The row
-- is stored before the file.
create table connector_files (
  key text primary key,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  toolkit text not null,
  name text not null,
  mimetype text not null,
  broker_key text,
  expires_at timestamptz not null,
  bytes bigint not null default 0,
  failures integer not null default 0,
  retry_at timestamptz not null default now()
);
create index connector_files_workspace on connector_files (workspace_id);
create index connector_files_subject on connector_files (subject_id);
create index connector_files_expires on connector_files (expires_at);

-- Actions with an Idempotency-Key, stored before the call. When a process died between, the action must not be repeated
-- unless the service knows the key.
create table connector_calls (
  reference text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index connector_calls_created on connector_calls (created_at);
create index connector_calls_account on connector_calls (account_id);

-- What a person granted through an authorization server, sealed with the server secret.
-- state exchanging: the code was sent to the token endpoint, and the tokens are not stored yet.
create table connector_grants (
  connected_account_id text primary key,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  toolkit text not null,
  state text not null check (state in ('requested', 'exchanging', 'granted', 'lost')),
  sealed text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The account at the service, as the service names it.
  account_name text
);
create index connector_grants_entity on connector_grants (workspace_id, subject_id);
create index connector_grants_subject on connector_grants (subject_id);
create index connector_grants_waiting on connector_grants (created_at) where state = 'requested';
create trigger connector_grants_touch before update on connector_grants
  for each row execute function touch_updated_at();
