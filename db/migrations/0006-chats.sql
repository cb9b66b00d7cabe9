-- Chats: messages, branches, the queue, shares and summaries.

-- Repeats the account of the session, which never changes, so that the chats of an account have an index.
create function chats_take_owner() returns trigger language plpgsql as $$
begin
  select account_id into new.owner_account_id from sessions where id = new.session_id;
  return new;
end $$;

-- Chats of a session.
create table chats (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions (id) on delete cascade,
  title text not null,
  model_id text,
  active_stream_id text,
  last_assistant_message_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Why the queue accepts no message; null: it accepts.
  queue_hold text check (queue_hold in (
    'requested', 'stopped', 'failed', 'awaiting_user', 'insufficient_credits', 'sandbox_not_initialized'
  )),
  queue_hold_text text,
  -- The selected branch; null: the trunk.
  branch_id text,
  -- Null: the default of the deployment.
  auto_compact boolean,
  owner_account_id uuid,
  -- The newest epoch of the session's sandbox whose loss of files the chat has been notified of.
  sandbox_epoch integer
);
create index chats_streaming on chats (active_stream_id) where active_stream_id is not null;
create index chats_session on chats (session_id, created_at, id);
create index chats_of_account on chats (owner_account_id, updated_at desc, id);
create trigger chats_owner before insert on chats for each row execute function chats_take_owner();

-- A message without a branch is added to the selected branch of its chat.
create function place_message() returns trigger language plpgsql as $$
begin
  new.branch_id := coalesce(new.branch_id, (select branch_id from chats where id = new.chat_id));
  return new;
end
$$;

-- A message is its row plus its parts: a step appends part rows and a tool result changes one, so that the cost of a
-- turn grows linearly with the turn.
create table chat_messages (
  chat_id uuid not null references chats (id) on delete cascade,
  id text not null,
  position bigint generated always as identity,
  role text not null check (role in ('user', 'assistant')),
  metadata json,
  created_at timestamptz not null default now(),
  -- Null: the trunk.
  branch_id text,
  -- The id under which a client knows the message, when the chat already had that id.
  sent_id text,
  primary key (chat_id, id)
);
create unique index chat_messages_position on chat_messages (chat_id, position);
create trigger chat_messages_place before insert on chat_messages for each row execute function place_message();

-- part is json, not jsonb: stored parts are returned with the same bytes.
create table chat_message_parts (
  chat_id uuid not null,
  message_id text not null,
  position integer not null,
  tool_call_id text,
  part json not null,
  primary key (chat_id, message_id, position),
  foreign key (chat_id, message_id) references chat_messages (chat_id, id) on delete cascade
);
create index chat_message_parts_tool_call on chat_message_parts (chat_id, message_id, tool_call_id)
  where tool_call_id is not null;

-- When an account last read a chat.
create table chat_reads (
  account_id uuid not null references accounts (id) on delete cascade,
  chat_id uuid not null references chats (id) on delete cascade,
  last_read_at timestamptz not null,
  primary key (account_id, chat_id)
);
create index chat_reads_chat on chat_reads (chat_id);

-- Alternative versions of answers and messages. A chat begins on its trunk, which has no row. A branch shares with its
-- parent the messages up to fork_position.
create table chat_branches (
  id text primary key,
  chat_id uuid not null references chats (id) on delete cascade,
  parent_id text references chat_branches (id) on delete cascade,
  fork_position bigint not null,
  kind text not null check (kind in ('regenerate', 'edit')),
  -- The message of which it is another version.
  version_of text not null,
  run_id text not null unique,
  -- The files after the fork; null: unchanged. They are restored to restore_commit, unless it was made after
  -- restore_before.
  restore_state text check (restore_state in ('restoring', 'restored', 'kept')),
  restore_commit text,
  restore_before timestamptz,
  created_at timestamptz not null default now()
);
create index chat_branches_chat on chat_branches (chat_id, created_at, id);
create index chat_branches_parent on chat_branches (parent_id) where parent_id is not null;

-- Messages that wait for the slot of a chat, and for some days their outcome.
-- place: their order in the chat, changed under the lock of the chat row.
-- on_busy: steer joins the run run_id before its next step; interrupt passes a hold of the queue.
-- message, history: only while the message waits. since_message_id: the first message of the chat that the history of
-- the client may lack; null: all of them.
-- run_id: the run that a waiting message steers; afterwards the run that it became or joined.
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
  ended_at timestamptz check ((ended_at is null) = (state = 'waiting')),
  inherited jsonb,
  -- Bytes of the text, as a process that reads it holds them; the table stores it compressed.
  bytes integer not null
    generated always as (coalesce(octet_length(message::text), 0) + coalesce(octet_length(history::text), 0)) stored
);
create unique index chat_queue_waiting on chat_queue (chat_id, message_id) where state = 'waiting';
create index chat_queue_chat on chat_queue (chat_id, place);
create index chat_queue_ended on chat_queue (ended_at) where ended_at is not null;

-- Read-only links to a chat as it was. The token is only in the address; the row has its hash.
create table chat_shares (
  id uuid primary key default gen_random_uuid(),
  token_hash text not null unique,
  chat_id uuid not null references chats (id) on delete cascade,
  branch_id text references chat_branches (id) on delete cascade,
  last_position bigint not null,
  last_message_id text not null,
  -- Parts of the last message: a later continuation of the answer is not shown.
  last_parts integer not null,
  tool_outputs boolean not null default false,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index chat_shares_chat on chat_shares (chat_id, created_at, id);
create index chat_shares_branch on chat_shares (branch_id) where branch_id is not null;

-- A summary replaces the earlier turns of a chat in model calls. The messages stay.
create table chat_summaries (
  id uuid primary key default gen_random_uuid(),
  chat_id uuid not null references chats on delete cascade,
  -- A step of a run, or the chat with its last message: one summary, and one charge, for each.
  made_for text not null unique,
  run_id text,
  -- The summarized messages, in order.
  message_ids text[] not null check (cardinality(message_ids) > 0),
  text text not null,
  model_id text not null,
  usage json,
  cost_usd numeric not null,
  -- Estimates.
  tokens_before integer not null,
  tokens_after integer not null,
  -- After the lock of the chat: a run does not see summaries later than its begin.
  created_at timestamptz not null default clock_timestamp()
);
create index chat_summaries_chat on chat_summaries (chat_id, created_at desc);

-- What the provider of a model refused in a chat, up to a message: later calls omit it. A later message of the same
-- kind is tried again.
create table chat_refusals (
  chat_id uuid not null references chats (id) on delete cascade,
  model_id text not null,
  kind text not null,
  through_id text not null,
  created_at timestamptz not null default now(),
  primary key (chat_id, model_id, kind)
);
