-- Credits are integer micro-dollars. remaining_credits = sum of the account's ledger amounts, at every commit.
create table credit_balances (
  account_id uuid primary key references accounts (id) on delete cascade,
  remaining_credits bigint not null default 0,
  refilled_at timestamptz,
  refill_allotment bigint,
  updated_at timestamptz not null default now()
);

create table credit_ledger (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts (id) on delete restrict,
  reference text not null unique,
  kind text not null check (kind in ('seed', 'refill', 'topup', 'grant', 'charge', 'refund')),
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  actor uuid,
  reason text,
  created_at timestamptz not null default now()
);
create index credit_ledger_account on credit_ledger (account_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger credit_ledger_append_only before update or delete on credit_ledger
  for each row execute function refuse_change();

create table usage_events (
  reference text primary key references credit_ledger (reference),
  account_id uuid not null,
  run_id text,
  source text not null check (source in ('web', 'api')),
  agent_type text,
  provider text,
  model_id text,
  input_tokens integer not null default 0,
  cached_input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  tool_call_count integer not null default 0,
  credits bigint not null,
  resource_url text,
  created_at timestamptz not null default now()
);
create index usage_events_account on usage_events (account_id, created_at);
create index usage_events_cost on usage_events (account_id, credits desc);
