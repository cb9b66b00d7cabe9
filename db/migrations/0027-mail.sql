-- `queued` while nobody knows yet how it ends. `claimed_until` is set by an attempt and taken away by one that knows its
-- outcome: what a past time means is that an attempt ended without a word.
create table email_send_log (
  id uuid primary key default gen_random_uuid(),
  account_id uuid references accounts (id) on delete set null,
  reference text unique,
  recipients text[] not null,
  subject text not null,
  chat_id text,
  status text not null default 'queued' check (status in ('queued', 'sent', 'send_failed', 'rejected', 'skipped')),
  message_id text,
  claimed_until timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null default now()
);
create index on email_send_log (account_id, created_at desc);
create index on email_send_log (created_at) where status = 'queued';

-- What is to be sent, for as long as it is.
create table mail_outbox (
  id uuid primary key references email_send_log (id) on delete cascade,
  message jsonb not null,
  -- When the sweeper starts the delivery, or looks whether it goes on.
  due_at timestamptz not null
);
create index on mail_outbox (due_at);

-- The embedded mail party: what others would have delivered.
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
