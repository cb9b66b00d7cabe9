-- A connection is stored when the account that began it confirms it, on a page that names both accounts. What is not confirmed
-- in time is taken back at the broker: the row says what is left to take back.
alter table connector_states
  add column confirm_hash text unique,
  add column account_name text,
  add column failures integer not null default 0,
  add column retry_at timestamptz not null default now();
create index connector_states_expiry on connector_states (expires_at);

-- The account at the service, as the service names it.
alter table connector_grants add column account_name text;
alter table connector_connections
  add column account_name text,
  add column failures integer not null default 0,
  add column retry_at timestamptz not null default now();

-- The row of a staged file is stored before the file. Null: the broker has not named the file yet.
alter table connector_files
  alter column broker_key drop not null,
  add column bytes bigint not null default 0,
  add column failures integer not null default 0,
  add column retry_at timestamptz not null default now();

-- The account here that will act with the connection, as the consent page names it.
alter table connector_demo_connections add column recipient text;
