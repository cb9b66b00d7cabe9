-- Data of the embedded providers, which stand in for vendors: no part of the service's own records.

-- The embedded payment provider keeps what a bank would. It accepts test cards and moves no money; no row has a card
-- number or a security code.
create table embedded_customers (
  id text primary key,
  account_id text unique,
  email text,
  default_card_id text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now()
);

-- behaviour: what the test card does when it is charged.
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
create index on embedded_cards (customer_id, position desc);

-- kind portal: a customer's own page; the others: a checkout. forms: accepted forms of the page, each once.
-- draft: the card that waits for the confirmation of its holder.
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
create index on embedded_sessions (customer_id);

-- Charges.
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
create index on embedded_payments (customer_id);
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

-- Events for the webhook, delivered at least once. payload: the bytes that are signed. next_attempt_at null: no more
-- tries.
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

-- Mails that the embedded mail provider received.
create table inbox_messages (
  id uuid primary key default gen_random_uuid(),
  idempotency_key text not null unique,
  recipients text[] not null,
  subject text not null,
  raw bytea not null,
  received_at timestamptz not null default now()
);
create index on inbox_messages (received_at desc, id desc);
create index on inbox_messages using gin (recipients);

-- Jobs of the embedded renderer. process_id: advisory lock of the process that renders; the job of a dead process is
-- claimed again. attempt: writes of an earlier attempt are ignored. account_id: accounts take turns; null: the service
-- itself.
create table embedded_renders (
  id text primary key,
  request jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed')),
  process_id bigint,
  attempt integer not null default 0,
  logs jsonb not null default '[]',
  file jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  account_id uuid
);
create index on embedded_renders (created_at) where state in ('queued', 'running');
create index on embedded_renders (updated_at) where state in ('completed', 'failed');
create index embedded_renders_of_account on embedded_renders (account_id) where state = 'running';

-- Runs of the embedded scraper.
create table embedded_scraper_runs (
  id text primary key,
  run_key text not null unique,
  kind text not null,
  input jsonb not null,
  aborted_at timestamptz,
  created_at timestamptz not null default now()
);
create index embedded_scraper_runs_created on embedded_scraper_runs (created_at);

-- Messages of the embedded team chat. key: of posts of the agent.
create table embedded_chat_messages (
  id bigint generated always as identity primary key,
  thread_id text not null,
  author text not null,
  text text not null,
  file jsonb,
  key text unique,
  created_at timestamptz not null default now()
);
create index embedded_chat_messages_thread on embedded_chat_messages (thread_id, id);
create index embedded_chat_messages_created on embedded_chat_messages (created_at);

-- Connections of the embedded broker. recipient: the account here that will act with it, as the consent page names it.
create table connector_demo_connections (
  connected_account_id text primary key,
  workspace_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null references accounts (id) on delete cascade,
  toolkit text not null,
  active boolean not null default false,
  created_at timestamptz not null default now(),
  recipient text
);
create index connector_demo_connections_entity on connector_demo_connections (workspace_id, subject_id);
create index connector_demo_connections_subject on connector_demo_connections (subject_id);
create index connector_demo_connections_waiting on connector_demo_connections (created_at) where not active;

-- Notes and events of the connections.
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
create index connector_demo_items_subject on connector_demo_items (subject_id);

-- Results of actions with a key: the same key returns them.
create table connector_demo_receipts (
  key text primary key,
  result jsonb not null,
  created_at timestamptz not null default now()
);
create index connector_demo_receipts_created on connector_demo_receipts (created_at);
