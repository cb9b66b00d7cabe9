-- Codes of the embedded issuer, each for one exchange.
create table sign_in_codes (
  code_hash text primary key,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  nonce text,
  email text not null,
  expires_at timestamptz not null
);
create index sign_in_codes_expires on sign_in_codes (expires_at);

create index account_api_keys_expiring on account_api_keys (expires_at) where expires_at is not null and run_id is null;

-- What each process does, by its own report every few seconds. A process that stops takes its row along: a row whose
-- process holds its lock no more (process_id is the key of that) is of one that died.
create table process_reports (
  process_id bigint primary key,
  part text not null check (part in ('api', 'worker')),
  host text not null,
  pid integer not null,
  build text not null,
  started_at timestamptz not null,
  reported_at timestamptz not null default now(),
  figures jsonb not null
) with (fillfactor = 50);
