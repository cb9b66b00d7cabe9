-- What an agent does by a cron: the row is the truth, the engine's schedule follows it.
create table tasks (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  -- The artist may go, and the task stays.
  artist_account_id uuid not null,
  title text not null,
  prompt text not null,
  schedule text not null,
  timezone text not null default 'UTC',
  -- Null counts as true.
  enabled boolean default true,
  model text,
  -- Set while the engine has a schedule for the task.
  trigger_schedule_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index tasks_account on tasks (account_id, created_at desc, id);
create index tasks_artist on tasks (artist_account_id);
create trigger tasks_touch before update on tasks for each row execute function touch_updated_at();

-- One run per nominal time of a task; it stays readable when the task is gone.
alter table background_runs add column task_id uuid, add column nominal_at timestamptz;
create unique index background_runs_fire on background_runs (task_id, nominal_at) where nominal_at is not null;
create index background_runs_task on background_runs (task_id, created_at desc) where task_id is not null;
