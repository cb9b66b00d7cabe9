-- A chat run outlives its chat: a poller of a deleted chat still learns how its run ended.
create table runs (
  id text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  session_id uuid not null,
  chat_id uuid not null,
  assistant_message_id text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  headless boolean not null default false,
  source text not null check (source in ('web', 'api')),
  model_id text not null,
  context_limit integer,
  -- USD per token of the model in use, where known: the price of a call that is cut off.
  input_price numeric,
  output_price numeric,
  end_reason text,
  error text,
  stop_requested_at timestamptz,
  stop_delivered_at timestamptz,
  engine_started_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index runs_live_chat on runs (chat_id) where status in ('queued', 'running');
create index runs_session on runs (session_id) where status in ('queued', 'running');
create index runs_unstarted on runs (created_at) where status = 'queued' and engine_started_at is null;
create index runs_stopping on runs (stop_requested_at)
  where stop_requested_at is not null and stop_delivered_at is null and status in ('queued', 'running');
create index runs_live on runs (created_at) where status in ('queued', 'running');

-- The history that the client sent with its turn. Dropped with the log.
create table run_inputs (
  run_id text primary key references runs (id) on delete cascade,
  messages json not null
);

-- fence = step x 100000 + attempt of the writer that may append; raised only upwards, only while open.
-- state: open, stopping (closed to everyone but the finaliser), done.
-- folded_seq: index of the first frame whose content is not yet in the stored message.
-- step_seq, step_position: the first frame of the open step and the place of its first part in the stored message.
-- step_input_tokens: estimated prompt of the open step, the charge of a call that is cut off.
-- abandoned_reason: why the last attempt gave up; null when it could not say, that is when its worker was lost.
-- holder, activity_id: who writes now, so that a survivor can answer for a dead worker.
create table stream_head (
  run_id text primary key references runs (id) on delete cascade,
  day date not null,
  next_seq integer not null default 0,
  folded_seq integer not null default 0,
  fence bigint not null default 0,
  state text not null default 'open' check (state in ('open', 'stopping', 'done')),
  open_step integer,
  step_seq integer not null default 0,
  step_position integer not null default 0,
  step_input_tokens integer not null default 0,
  holder bigint,
  activity_id text,
  abandoned_reason text
) with (fillfactor = 70);
create index stream_head_held on stream_head (holder) where holder is not null;

-- body is text: jsonb would reorder keys, and a replay must be byte-identical.
-- day is the day of the run, so one run lives in one partition and retention drops whole partitions.
create table stream_chunk (
  run_id text not null,
  seq integer not null,
  day date not null,
  body text not null,
  primary key (run_id, seq, day)
) partition by range (day);
create table stream_chunk_default partition of stream_chunk default;

create table run_steps (
  run_id text not null references runs (id) on delete cascade,
  step integer not null,
  attempt integer not null,
  finish_reason text not null,
  raw_finish_reason text,
  model_id text not null,
  usage json,
  cost_usd numeric,
  created_at timestamptz not null default now(),
  primary key (run_id, step)
);

-- started_at is the receipt of an effect that must not run twice; output exists once the call has ended.
create table run_tool_calls (
  run_id text not null references runs (id) on delete cascade,
  tool_call_id text not null,
  step integer not null,
  tool_name text not null,
  input json not null,
  started_at timestamptz,
  ended_at timestamptz,
  holder bigint,
  activity_id text,
  attempt integer,
  primary key (run_id, tool_call_id)
);
create index run_tool_calls_held on run_tool_calls (holder) where holder is not null;
create index run_tool_calls_step on run_tool_calls (run_id, step);
