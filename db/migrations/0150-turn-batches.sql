-- The batch that may write a turn: a process that takes a turn over raises it, and the batch before can neither open a step
-- nor start a tool. `holder` and `activity_id` name the process for as long as its batch runs.
alter table stream_head add column batch integer not null default 0;

-- A sub-agent is held by the row of its `task` call, whose `attempt` numbers its batches.
alter table run_sub_agent_steps drop column activity_id;
alter table run_sub_agent_calls drop column activity_id;
