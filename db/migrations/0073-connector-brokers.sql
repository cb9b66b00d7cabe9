-- The embedded broker: its connections, and what its notes books and calendars hold.
create table connector_demo_connections (
  connected_account_id text primary key,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  toolkit text not null,
  active boolean not null default false,
  created_at timestamptz not null default now()
);
create index connector_demo_connections_entity on connector_demo_connections (workspace_id, subject_id);
create index connector_demo_connections_waiting on connector_demo_connections (created_at) where not active;

create table connector_demo_items (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  kind text not null check (kind in ('note', 'event')),
  title text not null,
  body text not null,
  starts_at timestamptz,
  ends_at timestamptz,
  created_at timestamptz not null default now(),
  check ((kind = 'event') = (starts_at is not null and ends_at is not null))
);
create index connector_demo_items_entity on connector_demo_items (workspace_id, subject_id, kind);

-- What an action with a key came to: the same key again is answered from here.
create table connector_demo_receipts (
  key text primary key,
  result jsonb not null,
  created_at timestamptz not null default now()
);
create index connector_demo_receipts_created on connector_demo_receipts (created_at);

-- What a person granted through an authorization server, sealed: nobody reads it without the secret of the server.
create table connector_grants (
  connected_account_id text primary key,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  toolkit text not null,
  state text not null check (state in ('asked', 'granted', 'lost')),
  sealed text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index connector_grants_entity on connector_grants (workspace_id, subject_id);
create index connector_grants_waiting on connector_grants (created_at) where state = 'asked';
create trigger connector_grants_touch before update on connector_grants
  for each row execute function touch_updated_at();
