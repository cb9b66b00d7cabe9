-- Chat runs, the API keys made for them, their stream log and their commits.

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
  -- USD per token, where known: the price of a call that is cut off.
  input_price numeric,
  output_price numeric,
  end_reason text,
  error text,
  stop_requested_at timestamptz,
  stop_delivered_at timestamptz,
  engine_started_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  -- How often the workflow was started again from the database.
  restarts integer not null default 0,
  -- The background run that this run is for; unique, so that it has one chat run.
  background_run_id text references background_runs (id) on delete set null,
  -- Inherited from the run whose key accepted the work: approvals, and the remaining model calls and time. Tasks and
  -- sessions store inherited approvals as their own.
  inherited jsonb,
  -- A headless run waits as a row until a worker has room for it. place_holder: advisory lock of the worker process
  -- that admitted it and counts it until the run ends.
  placed_at timestamptz,
  place_holder bigint
);
create unique index runs_live_chat on runs (chat_id) where status in ('queued', 'running');
create index runs_session on runs (session_id) where status in ('queued', 'running');
create index runs_unstarted on runs (created_at) where status = 'queued' and engine_started_at is null;
create index runs_stopping on runs (stop_requested_at)
  where stop_requested_at is not null and stop_delivered_at is null and status in ('queued', 'running');
create index runs_live on runs (created_at) where status in ('queued', 'running');
create index runs_of_session on runs (session_id, created_at);
create unique index runs_background on runs (background_run_id) where background_run_id is not null;
create index runs_account on runs (account_id, created_at desc, id desc);
create index runs_waiting on runs (account_id, created_at)
  where status = 'queued' and headless and placed_at is null and engine_started_at is null;
-- Turns that ended with a question or an approval, for the inbox of an account.
create index runs_awaiting_user on runs (account_id, created_at desc, id desc) where end_reason = 'awaiting_user';
-- For the activity page of the operator.
create index runs_failed on runs (ended_at) where status = 'failed';
create index runs_placed on runs (place_holder, account_id)
  where status in ('queued', 'running') and place_holder is not null;

-- The history that the client sent with its turn. Deleted with the log.
create table run_inputs (
  run_id text primary key references runs (id) on delete cascade,
  messages json not null,
  -- Skills of the sandbox when the turn began, the same for every step of the turn.
  skills json
);

-- Runs that ended abnormally, for the operator. The row outlives its run, so that a missing charge is not lost with the
-- chat.
create table run_alerts (
  run_id text not null,
  reason text not null check (reason in ('not_charged', 'forced_end')),
  account_id uuid not null references accounts (id) on delete cascade,
  -- Text of the failure, for the operator only.
  detail text not null,
  created_at timestamptz not null default now(),
  primary key (run_id, reason)
);
create index run_alerts_account on run_alerts (account_id);

-- API keys, stored as hashes.
create table account_api_keys (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null,
  key_hash text not null unique,
  expires_at timestamptz,
  last_used timestamptz,
  created_at timestamptz not null default now(),
  -- The key is deleted with the run that it was made for.
  run_id text references runs (id) on delete cascade,
  -- The keys that a sign-in made end with it.
  sign_in_id uuid references console_sign_ins (id) on delete cascade
);
create index account_api_keys_account on account_api_keys (account_id, created_at desc);
create unique index account_api_keys_run on account_api_keys (run_id) where run_id is not null;
create index account_api_keys_sign_in on account_api_keys (sign_in_id) where sign_in_id is not null;
create index account_api_keys_expiring on account_api_keys (expires_at) where expires_at is not null and run_id is null;
create trigger account_api_keys_revoked after delete on account_api_keys
  for each row execute function notify_access_revoked();

-- The state of the stream log of a run.
-- fence: step x 100000 + attempt of the writer that may append; only raised, and only while open. -1 precedes attempt
-- 0, which is a head start.
-- state: open, stopping (closed to all but the finalizer), done.
-- folded_seq: index of the first frame whose content is not yet in the stored message.
-- step_seq, step_position: the first frame of the open step, and the position of its first part in the stored message.
-- step_input_tokens: estimated prompt of the open step, charged when the call is cut off.
-- abandoned_reason: why the last attempt gave up; null when its worker was lost.
-- holder, activity_id: the process that runs the batch, so that another can report its death.
create table stream_head (
  run_id text primary key references runs (id) on delete cascade,
  day date not null,
  next_seq integer not null default 0,
  folded_seq integer not null default 0,
  fence bigint not null default -1,
  state text not null default 'open' check (state in ('open', 'stopping', 'done')),
  open_step integer,
  step_seq integer not null default 0,
  step_position integer not null default 0,
  step_input_tokens integer not null default 0,
  holder bigint,
  activity_id text,
  abandoned_reason text,
  -- How often failed_step itself failed. A lost or stopping worker does not count.
  failed_step integer,
  failures integer not null default 0,
  -- When the newest attempt opened the open step, and when it gave up or was found lost: for the timeline, in writes
  -- that the step makes anyway.
  step_opened_at timestamptz,
  abandoned_at timestamptz,
  -- Wait that the model provider requested before the next attempt, in any process.
  retry_after_ms integer,
  -- Why the provider refused a failed call, and its message, for the page of the run.
  abandoned_fault text,
  abandoned_detail text,
  -- The batch that may write the turn: a process that takes the turn over raises it, and the earlier batch can neither
  -- open a step nor start a tool.
  batch integer not null default 0
) with (fillfactor = 70);
create index stream_head_held on stream_head (holder) where holder is not null;

-- body is text: jsonb would reorder keys, and a replay must be byte-identical.
-- day is the day of the run, so that a run is in one partition and retention drops whole partitions.
create table stream_chunk (
  run_id text not null,
  seq integer not null,
  day date not null,
  body text not null,
  primary key (run_id, seq, day)
) partition by range (day);
create table stream_chunk_default partition of stream_chunk default;

-- The application role cannot change the schema; these functions of the owner make and drop partitions of the stream
-- log.
create function make_stream_partition(day date) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format(
    'create table public.%I partition of public.stream_chunk for values from (%L) to (%L)',
    'stream_chunk_' || to_char(day, 'YYYYMMDD'), to_char(day, 'YYYY-MM-DD'), to_char(day + 1, 'YYYY-MM-DD')
  );
end $$;

create function drop_stream_partition(day date) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format('drop table public.%I', 'stream_chunk_' || to_char(day, 'YYYYMMDD'));
end $$;
revoke execute on function make_stream_partition, drop_stream_partition from public;

-- What a run did with the repository at its natural end. A row is written before the first effect.
-- state: clean (nothing to do), pending (announced in the log), done (the result is in the log).
-- head: the commit before the work began; when it has moved, a retry knows that the commit was made.
-- is_plain: the sandbox has no git; its files are committed through the code host.
-- base_commit: the remote commit that the work was rebased onto, for a sandbox that began at source_base.
create table turn_commits (
  run_id text primary key references runs (id) on delete cascade,
  session_id uuid not null,
  state text not null check (state in ('clean', 'pending', 'done')),
  changed boolean not null default false,
  is_plain boolean not null default false,
  head text,
  branch text,
  staged_diff text,
  message text,
  commit_sha text,
  committed boolean not null default false,
  pushed boolean not null default false,
  base_commit text,
  source_base text,
  error text,
  settled_at timestamptz,
  created_at timestamptz not null default now(),
  -- Paths missing from the commit: {count, paths: [{path, reason}]}. Null: none.
  left_out jsonb
);
create index turn_commits_session on turn_commits (session_id, created_at desc);
