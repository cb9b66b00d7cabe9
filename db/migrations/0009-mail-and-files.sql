-- Mail, uploads and stored media.

-- One row per mail. status queued: the outcome is not known yet. claimed_until: set by an attempt and cleared when it
-- knows the outcome; a past time means that the attempt was lost.
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
  created_at timestamptz not null default now(),
  -- Recipients that the mail server rejected while it accepted the others.
  refused text[] not null default '{}',
  -- Why the mail was not sent: the reply code of the server, or the kind of fault.
  failure text
);
create index on email_send_log (account_id, created_at desc);
create index on email_send_log (created_at) where status = 'queued';
create index email_send_log_created on email_send_log (created_at);

-- Content of a mail, for as long as it waits to be sent.
create table mail_outbox (
  id uuid primary key references email_send_log (id) on delete cascade,
  message jsonb not null,
  -- When the sweeper starts the delivery, or checks that it continues.
  due_at timestamptz not null
);
create index on mail_outbox (due_at);

-- Replies to mails of agents, stored before they are handled.
create table mail_replies (
  id uuid primary key default gen_random_uuid(),
  -- The provider's id of the mail, which it may deliver more than once.
  provider_key text not null unique,
  chat_id uuid not null,
  -- Null when the provider keeps the content.
  content json,
  status text not null default 'received' check (status in ('received', 'answered', 'ignored')),
  -- Why the reply was ignored.
  reason text,
  run_id text,
  received_at timestamptz not null default now(),
  ended_at timestamptz,
  -- The provider is read once per reply, and less often while it fails.
  words text,
  failed_reads integer not null default 0,
  due_at timestamptz not null default now()
);
create index mail_replies_received on mail_replies (id) where status = 'received';
create index mail_replies_chat on mail_replies (chat_id, ended_at);

-- Upload tokens of the built-in store: each makes one file. The rows of a day are their account's quota.
create table uploads (
  -- SHA-256 of the token.
  token_id text primary key,
  account_id uuid not null,
  pathname text not null,
  -- Names the parts; null for a file in one request.
  parts_id text,
  requests integer not null default 1,
  -- Set when the file is stored: the token is used up.
  etag text,
  stored_bytes bigint not null default 0,
  begun_at timestamptz not null default now()
);
create index uploads_of_account on uploads (account_id, begun_at);
create index uploads_begun on uploads (begun_at);

-- Bytes of an upload before it is stored. Part 0: the whole file, or the file that joins the parts.
create table upload_pieces (
  token_id text not null references uploads (token_id) on delete cascade,
  part integer not null,
  -- Null until the part has arrived.
  received_bytes bigint,
  reserved_bytes bigint not null default 0,
  requests integer not null default 1,
  -- The request that the bytes are reserved for, and the advisory lock of its process.
  attempt uuid unique,
  holder bigint,
  expires_at timestamptz,
  primary key (token_id, part),
  check ((attempt is null) = (holder is null) and (attempt is null) = (expires_at is null)),
  check (attempt is not null or reserved_bytes = 0)
);
create index upload_pieces_reserved on upload_pieces (holder) include (reserved_bytes) where attempt is not null;

-- Bytes of the finished media of an account: the sum of its objects.
create table media_usage (
  account_id uuid primary key references accounts (id) on delete cascade,
  bytes bigint not null default 0 check (bytes >= 0)
);

-- Account null: the object is to be deleted, because its account is gone or its owner deleted it.
create table media_objects (
  key text primary key,
  account_id uuid references accounts (id) on delete set null,
  bytes bigint not null check (bytes >= 0)
);
create index media_objects_account on media_objects (account_id);
create index media_objects_unowned on media_objects (key) where account_id is null;

-- Bytes reserved by uploads to the store that are under way.
create table media_reservations (
  attempt uuid primary key,
  account_id uuid references accounts (id) on delete cascade,
  bytes bigint not null check (bytes >= 0),
  expires_at timestamptz not null
);
create index media_reservations_account on media_reservations (account_id);
create index media_reservations_expires on media_reservations (expires_at);
