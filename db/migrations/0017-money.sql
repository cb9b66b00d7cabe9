alter table credit_balances
  add column auto_topup_enabled boolean not null default false,
  add column auto_topup_cents bigint,
  add column auto_topup_threshold_cents bigint,
  add column auto_topup_last_run_at timestamptz,
  add column auto_topup_last_error text,
  add constraint credit_balances_auto_topup_check
    check (not auto_topup_enabled or (auto_topup_cents is not null and auto_topup_threshold_cents is not null));

create table credit_holds (
  reference text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  amount bigint not null check (amount > 0),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index on credit_holds (account_id, expires_at);

create table payment_customers (
  account_id uuid primary key references accounts (id) on delete cascade,
  customer_id text not null unique,
  default_card jsonb,
  updated_at timestamptz not null default now()
);

create table payment_intents (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete restrict,
  purpose text not null check (purpose in ('topup', 'auto_topup')),
  credits bigint not null check (credits > 0),
  total_cents bigint not null check (total_cents > 0),
  path text not null check (path in ('card', 'checkout')),
  payment_id text unique,
  checkout_id text unique,
  state text not null default 'created' check (state in ('created', 'pending', 'paid', 'failed', 'mismatch')),
  success_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on payment_intents (account_id, created_at desc);
create trigger payment_intents_touch before update on payment_intents
  for each row execute function touch_updated_at();

create table payment_events (
  event_id text primary key,
  type text not null,
  payment_ref text,
  received_at timestamptz not null default now()
);

create table subscriptions (
  subscription_id text primary key,
  account_id uuid references accounts (id) on delete set null,
  customer_id text not null,
  price_id text not null,
  plan text not null check (plan in ('starter', 'pro')),
  status text not null,
  created_by text,
  amount_cents integer,
  currency text,
  interval text,
  period_start timestamptz,
  period_end timestamptz,
  cancel_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on subscriptions (account_id);
create trigger subscriptions_touch before update on subscriptions
  for each row execute function touch_updated_at();
