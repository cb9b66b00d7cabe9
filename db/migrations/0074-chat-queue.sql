-- Messages that wait for the slot of a chat, and for some days what became of them.
-- place: their order in the chat, changed under the lock of the chat's row.
-- on_busy: steer joins the run run_id before its next step; interrupt passes a hold of the queue.
-- message, history: of messages that wait only. since_message_id: the first message of the chat that the history, as the
-- client sent it, may lack; null: all of them.
-- run_id: the run that a waiting message steers; afterwards the one that it became or joined.
create table chat_queue (
  id text primary key,
  chat_id uuid not null references chats (id) on delete cascade,
  place integer not null,
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'steered', 'removed')),
  on_busy text not null check (on_busy in ('queue', 'interrupt', 'steer')),
  message_id text not null,
  message json check (message is not null or state <> 'waiting'),
  history json check (history is not null or state <> 'waiting'),
  since_message_id text,
  headless boolean not null,
  source text not null check (source in ('web', 'api')),
  context_limit integer,
  run_id text,
  created_at timestamptz not null default now(),
  ended_at timestamptz check ((ended_at is null) = (state = 'waiting'))
);
create unique index chat_queue_waiting on chat_queue (chat_id, message_id) where state = 'waiting';
create index chat_queue_chat on chat_queue (chat_id, place);
create index chat_queue_ended on chat_queue (ended_at) where ended_at is not null;

-- Why nothing that waits is accepted; null: it is.
alter table chats
  add column queue_hold text check (queue_hold in (
    'requested', 'stopped', 'failed', 'awaiting_user', 'insufficient_credits', 'sandbox_not_initialized'
  )),
  add column queue_hold_text text;
