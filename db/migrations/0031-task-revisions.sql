-- A change of a task is taken back when the engine refuses it, with the time of the last change as it was.
drop trigger tasks_touch on tasks;
alter table tasks add column revision integer not null default 1;
-- What the plan counts, and the order in which it lets tasks run.
create index tasks_enabled on tasks (account_id, created_at, id) where enabled is not false;
