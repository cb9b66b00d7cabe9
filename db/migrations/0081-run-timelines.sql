-- What the timeline of a turn is made of, beside its steps and tool calls. None of it costs a model step a write of its
-- own: the head is written at the opening of a step in any case, and attempts have rows only when one is given up.
-- step_opened_at: when the newest attempt opened the open step. abandoned_at: when it gave up, or was seen to be lost.
alter table stream_head add column step_opened_at timestamptz, add column abandoned_at timestamptz;
alter table run_steps add column started_at timestamptz;
create index run_steps_created on run_steps using brin (created_at);

-- Attempts at a model call (call_id is empty) or a tool call that another one took over. Their numbers count as the
-- fences do.
create table run_attempts (
  run_id text not null references runs (id) on delete cascade,
  step integer not null,
  call_id text not null default '',
  attempt integer not null,
  reason text not null,
  started_at timestamptz,
  ended_at timestamptz not null default now(),
  primary key (run_id, step, call_id, attempt)
);
create index run_attempts_ended on run_attempts using brin (ended_at);

alter table run_sub_agent_steps add column opened_at timestamptz not null default now(), add column ended_at timestamptz;

-- What sub-agents did, once their run has ended: one row a model call (call_id is empty) or tool call, without its words
-- but the first of a tool's input and output.
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

create index runs_account on runs (account_id, created_at desc, id desc);
