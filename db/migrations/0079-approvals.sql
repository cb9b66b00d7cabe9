-- Calls of tools that a person has to approve: what a session or task asks approval for.
alter table sessions add column approvals jsonb;
alter table tasks add column approvals jsonb;

-- A requested call waits for its answer; a granted one is executed by the run that the answer began.
alter table run_tool_calls
  add column approval text check (approval in ('requested', 'granted', 'denied')),
  add column approval_id text,
  add column approval_expires_at timestamptz;
create index run_tool_calls_asking on run_tool_calls (approval_id) where approval = 'requested';
create index run_tool_calls_expiring on run_tool_calls (approval_expires_at) where approval = 'requested';
