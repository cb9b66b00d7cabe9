-- The embedded payment party: test cards only, no money. What a bank would keep, and no part of our own books.
-- No card number and no security code is ever in a row; behaviour says what the test card does.
create table embedded_customers (
  id text primary key,
  account_id text unique,
  email text,
  default_card_id text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now()
);

create table embedded_cards (
  id text primary key,
  customer_id text not null references embedded_customers (id) on delete cascade,
  behaviour text not null,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month integer not null,
  exp_year integer not null,
  detached_at timestamptz,
  position bigint generated always as identity,
  created_at timestamptz not null default now()
);
create index on embedded_cards (customer_id, position desc) where detached_at is null;

-- kind portal: a customer's own page; the others: a checkout. forms: forms of the page that were taken, each once.
-- draft: the card that waits for its holder's confirmation.
create table embedded_sessions (
  id text primary key,
  kind text not null check (kind in ('payment', 'subscription', 'setup', 'portal')),
  customer_id text references embedded_customers (id) on delete cascade,
  request jsonb not null,
  request_hash text not null,
  idempotency_key text not null unique,
  completed_at timestamptz,
  forms integer not null default 0,
  draft jsonb,
  payment_id text,
  subscription_id text,
  card_id text,
  email text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);

create table embedded_payments (
  id text primary key,
  customer_id text references embedded_customers (id) on delete cascade,
  card_id text,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  status text not null check (status in ('succeeded', 'authentication_required', 'failed')),
  code text,
  metadata jsonb not null default '{}',
  request_hash text not null,
  idempotency_key text not null unique,
  created_at timestamptz not null default now()
);
create index on embedded_payments ((metadata ->> 'intentId'), created_at desc);

-- next_charge_at: the end of the period, or the next try after a refusal. anchor: its day of the month begins periods.
create table embedded_subscriptions (
  id text primary key,
  customer_id text not null references embedded_customers (id) on delete cascade,
  card_id text,
  price_id text not null,
  status text not null check (status in ('trialing', 'active', 'past_due', 'canceled')),
  anchor timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  next_charge_at timestamptz,
  cancel_at timestamptz,
  refusals integer not null default 0,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index on embedded_subscriptions (customer_id);
create index on embedded_subscriptions (next_charge_at) where next_charge_at is not null;

-- What is told to our webhook, at least once. payload: the very bytes that are signed. next_attempt_at null: no more tries.
create table embedded_payment_events (
  id text primary key,
  type text not null,
  object_id text not null,
  payload text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  last_answer text,
  created_at timestamptz not null default now()
);
create index on embedded_payment_events (next_attempt_at) where next_attempt_at is not null;
create index on embedded_payment_events (created_at desc);
