-- A mention that the chat platform told of, and its job: done_at is set with what it comes to.
create table chat_platform_events (
  event_id text primary key,
  workspace_id text not null,
  thread_id text not null,
  text text not null,
  done_at timestamptz,
  received_at timestamptz not null default now()
);
create index chat_platform_events_waiting on chat_platform_events (event_id) where done_at is null;
create index chat_platform_events_received on chat_platform_events (received_at);

-- A thread in which videos are made. outcome: the state that it takes when everything is posted.
create table content_threads (
  thread_id text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  state text not null check (state in ('running', 'posting', 'completed', 'failed', 'timeout')),
  outcome text check (outcome in ('completed', 'failed', 'timeout')),
  artist_account_id uuid not null,
  template text not null,
  lipsync boolean not null,
  batch integer not null,
  run_ids text[] not null,
  poll_run_id text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (state <> 'posting' or outcome is not null)
);
create index content_threads_account on content_threads (account_id);
create index content_threads_live on content_threads (thread_id) where state in ('running', 'posting');
create trigger content_threads_touch before update on content_threads for each row execute function touch_updated_at();

-- What is posted to a thread, once for its key, in the order of place. asked_at is set before the platform is asked, so
-- that whoever finds it looks for the post before repeating it; in_doubt: nobody can tell whether it arrived.
create table chat_posts (
  thread_id text not null,
  key text not null,
  place bigint generated always as identity,
  text text not null,
  file jsonb,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'in_doubt')),
  asked_at timestamptz,
  message_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (thread_id, key)
);
create index chat_posts_waiting on chat_posts (thread_id, place) where state = 'waiting';
create index chat_posts_created on chat_posts (created_at);
create trigger chat_posts_touch before update on chat_posts for each row execute function touch_updated_at();

-- The messages of the embedded team chat. key: of what the agent has posted.
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
