-- body is json: a replay has the bytes of the first answer.
-- A pending row belongs to the API process whose advisory lock is holder: when that lock is free, its holder is dead.
create table idempotency_keys (
  account_id uuid not null references accounts (id) on delete cascade,
  route text not null,
  key text not null,
  request_hash text not null,
  state text not null check (state in ('pending', 'done')),
  holder bigint not null,
  status integer,
  body json,
  headers jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, route, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);
