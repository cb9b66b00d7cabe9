-- The sub-agent of a `task` call. All of this is needed while its run lives and is dropped with the run's end: what stays
-- is the output of the call and the usage rows.
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

-- attempt: the newest one that may ask the model and end the step. failures: how often the model failed by itself.
-- holder, activity_id: who asks the model now, so that a survivor can answer for a dead worker.
-- input_tokens, output_characters: of the model call under way, the charge when a stop cuts it off.
-- finish_reason, parts, usage, cost_usd: there once the step has ended. parts has no tool outputs.
create table run_sub_agent_steps (
  run_id text not null,
  tool_call_id text not null,
  step integer not null,
  attempt integer not null,
  failures integer not null default 0,
  holder bigint,
  activity_id text,
  input_tokens integer not null,
  output_characters integer not null default 0,
  finish_reason text,
  parts json,
  usage json,
  cost_usd numeric,
  primary key (run_id, tool_call_id, step),
  foreign key (run_id, tool_call_id) references run_sub_agents (run_id, tool_call_id) on delete cascade
);
create index run_sub_agent_steps_held on run_sub_agent_steps (holder) where holder is not null;

-- The columns mean what they mean in run_tool_calls; output is there once the call has ended.
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
  activity_id text,
  attempt integer,
  first_attempt integer,
  primary key (run_id, call_id),
  foreign key (run_id, tool_call_id, step) references run_sub_agent_steps (run_id, tool_call_id, step) on delete cascade
);
create index run_sub_agent_calls_step on run_sub_agent_calls (run_id, tool_call_id, step);
create index run_sub_agent_calls_held on run_sub_agent_calls (holder) where holder is not null;
