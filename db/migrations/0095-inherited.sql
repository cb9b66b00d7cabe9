-- What work inherits from the run whose key accepted it: approvals, and the model calls and time which that run had left.
-- Tasks and sessions store inherited approvals as their own.
alter table runs add column inherited jsonb;
alter table chat_queue add column inherited jsonb;
alter table background_runs add column inherited jsonb;
