-- What stands for the earlier turns of a chat when its model is asked. The messages stay.
create table chat_summaries (
  id uuid primary key default gen_random_uuid(),
  chat_id uuid not null references chats on delete cascade,
  -- What asked for it: a step of a run, or the chat with the last message. One summary, and one charge, for each.
  made_for text not null unique,
  run_id text,
  -- The messages that it stands for, in their order.
  message_ids text[] not null check (cardinality(message_ids) > 0),
  text text not null,
  model_id text not null,
  usage json,
  cost_usd numeric not null,
  -- Estimates: of the messages, and of the summary.
  tokens_before integer not null,
  tokens_after integer not null,
  -- After the lock of the chat: what is later than the begin of a run is not seen by it.
  created_at timestamptz not null default clock_timestamp()
);
create index chat_summaries_chat on chat_summaries (chat_id, created_at desc);

-- Null: as the deployment says.
alter table chats add column auto_compact boolean;

-- Replies to mails of agents. What is received is a row before anything is done about it.
create table mail_replies (
  id uuid primary key default gen_random_uuid(),
  -- The provider's id of the mail: it may tell of it more than once.
  provider_key text not null unique,
  chat_id uuid not null,
  -- Where nobody else keeps it.
  content json,
  status text not null default 'received' check (status in ('received', 'answered', 'ignored')),
  -- Why it is ignored.
  reason text,
  run_id text,
  received_at timestamptz not null default now(),
  ended_at timestamptz
);
create index mail_replies_received on mail_replies (id) where status = 'received';
create index mail_replies_chat on mail_replies (chat_id, ended_at);
