-- The steps of a run: model calls, tool calls, sub-agents, and the skills that tools may change.

-- Steps that have ended.
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
  -- Prices of the tokens, in USD per token: {"input","output","cachedInput","cacheWrite"}. Null: unknown. A call whose
  -- vendor reported its cost is charged that.
  prices json,
  started_at timestamptz,
  -- Time from the start of the model call to its first output. Null: unknown.
  first_output_ms integer,
  -- Whether the turn continues after the step: an answer at the output limit continues when it made calls.
  goes_on boolean not null,
  primary key (run_id, step)
);
create index run_steps_created on run_steps using brin (created_at);

-- started_at is the receipt of an effect that must not run twice. ended_at: the output is in the message.
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
  -- The first attempt that was about to have the effects of the call; no other may have them.
  first_attempt integer,
  -- A requested call waits for its decision; a granted one is executed by the run that the decision started.
  approval text check (approval in ('requested', 'granted', 'denied')),
  approval_id text,
  approval_expires_at timestamptz,
  primary key (run_id, tool_call_id)
);
create index run_tool_calls_held on run_tool_calls (holder) where holder is not null;
create index run_tool_calls_step on run_tool_calls (run_id, step);
create index run_tool_calls_asking on run_tool_calls (approval_id) where approval = 'requested';
create index run_tool_calls_expiring on run_tool_calls (approval_expires_at) where approval = 'requested';

-- Attempts at a model call (call_id is empty) or a tool call that another attempt took over, numbered as the fences
-- are.
create table run_attempts (
  run_id text not null references runs (id) on delete cascade,
  step integer not null,
  call_id text not null default '',
  attempt integer not null,
  reason text not null,
  started_at timestamptz,
  ended_at timestamptz not null default now(),
  detail text,
  primary key (run_id, step, call_id, attempt)
);
create index run_attempts_ended on run_attempts using brin (ended_at);

-- The sub-agent of a `task` call. These rows live as long as their run; the output of the call and the usage remain.
-- input_price, output_price: USD per token, where known: the price of a model call that is cut off.
create table run_sub_agents (
  run_id text not null,
  tool_call_id text not null,
  model_id text not null,
  input_price numeric,
  output_price numeric,
  started_at timestamptz not null default now(),
  primary key (run_id, tool_call_id),
  foreign key (run_id, tool_call_id) references run_tool_calls (run_id, tool_call_id) on delete cascade
);

-- attempt: the newest, the only one that may call the model and end the step. failures: failures of the model itself.
-- holder: the process that calls the model, so that another can report its death.
-- input_tokens, output_characters: of the running model call, charged when a stop cuts it off.
-- finish_reason, parts, usage, cost_usd: set when the step has ended. parts has no tool outputs.
create table run_sub_agent_steps (
  run_id text not null,
  tool_call_id text not null,
  step integer not null,
  attempt integer not null,
  failures integer not null default 0,
  holder bigint,
  input_tokens integer not null,
  output_characters integer not null default 0,
  finish_reason text,
  parts json,
  usage json,
  cost_usd numeric,
  prices json,
  opened_at timestamptz not null default now(),
  ended_at timestamptz,
  goes_on boolean,
  primary key (run_id, tool_call_id, step),
  foreign key (run_id, tool_call_id) references run_sub_agents (run_id, tool_call_id) on delete cascade
);
create index run_sub_agent_steps_held on run_sub_agent_steps (holder) where holder is not null;

-- The columns mean what they mean in run_tool_calls; output is set when the call has ended.
create table run_sub_agent_calls (
  run_id text not null,
  call_id text not null,
  tool_call_id text not null,
  step integer not null,
  tool_name text not null,
  input json not null,
  output json,
  started_at timestamptz,
  ended_at timestamptz,
  holder bigint,
  attempt integer,
  first_attempt integer,
  primary key (run_id, call_id),
  foreign key (run_id, tool_call_id, step) references run_sub_agent_steps (run_id, tool_call_id, step) on delete cascade
);
create index run_sub_agent_calls_step on run_sub_agent_calls (run_id, tool_call_id, step);
create index run_sub_agent_calls_held on run_sub_agent_calls (holder) where holder is not null;

-- What sub-agents did, kept after their run has ended: one row per model call (call_id is empty) or tool call, with the
-- beginning of the input and output of a tool and no other content.
create table run_sub_agent_entries (
  run_id text not null,
  tool_call_id text not null,
  step integer not null,
  call_id text not null default '',
  name text not null,
  attempt integer,
  finish_reason text,
  usage json,
  cost_usd numeric,
  input text,
  output text,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (run_id, tool_call_id, step, call_id),
  foreign key (run_id, tool_call_id) references run_tool_calls (run_id, tool_call_id) on delete cascade
);

-- The skills last read from a session's sandbox. A turn reads them again only when a tool that can change files has
-- ended since, or runs now.
create table session_skills (
  session_id uuid primary key references sessions (id) on delete cascade,
  skills json not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null default '-infinity'
);

create function note_changed_files(run text) returns void language sql as $$
  insert into session_skills (session_id, skills, seen_at, changed_at)
  select sessions.id, '[]', '-infinity', clock_timestamp()
  from runs join sessions on sessions.id = runs.session_id where runs.id = run
  -- A session that is being deleted is none.
  for key share of sessions
  on conflict (session_id) do update set changed_at = excluded.changed_at
$$;

create function note_ended_tool() returns trigger language plpgsql as $$
begin
  perform note_changed_files(new.run_id);
  return null;
end $$;
create trigger run_tool_calls_changed_files after update of ended_at on run_tool_calls
  for each row
  when (old.ended_at is null and new.ended_at is not null and new.tool_name in ('bash', 'write', 'task'))
  execute function note_ended_tool();

-- A run that ended during a tool call may have changed files.
create function note_interrupted_tools() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from run_tool_calls where run_id = new.id and started_at is not null and ended_at is null
  ) then
    perform note_changed_files(new.id);
  end if;
  return null;
end $$;
create trigger runs_changed_files after update of ended_at on runs
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function note_interrupted_tools();
