-- Sessions and their sandboxes, background runs and scheduled tasks.

-- A session is a sandbox with a repository and its chats.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  organization_id uuid,
  artist_id uuid,
  title text not null,
  status text not null default 'running' check (status in ('running', 'completed', 'failed', 'archived')),
  repo_owner text,
  repo_name text,
  branch text,
  clone_url text,
  is_new_branch boolean not null default false,
  global_skill_refs jsonb not null default '[]',
  sandbox_state jsonb,
  lifecycle_state text check (
    lifecycle_state in ('provisioning', 'active', 'hibernating', 'hibernated', 'restoring', 'archived', 'failed')
  ),
  lifecycle_version integer not null default 0,
  lifecycle_run_id text,
  lifecycle_error text,
  last_activity_at timestamptz,
  sandbox_started_at timestamptz,
  sandbox_expires_at timestamptz,
  hibernate_after timestamptz,
  lines_added integer default 0,
  lines_removed integer default 0,
  snapshot_url text,
  snapshot_created_at timestamptz,
  snapshot_size_bytes bigint,
  cached_diff jsonb,
  cached_diff_updated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The commit of cached_diff, computed with nothing uncommitted, and the run that last verified it.
  diff_commit text,
  diff_run_id text,
  -- Tools whose calls a person must approve.
  approvals jsonb
);
create index sessions_account on sessions (account_id, created_at desc, id);
-- Archived sessions are counted by every list of sessions.
create index sessions_archived on sessions (account_id, created_at desc, id) where status = 'archived';
-- Generated titles: whether a name is taken, and which of its numbers.
create index sessions_title on sessions (account_id, title text_pattern_ops);
-- Few of all sessions: the sweeper reads them once a minute.
create index sessions_watched on sessions (sandbox_expires_at) where lifecycle_state in ('active', 'hibernating');
create index sessions_restoring on sessions (updated_at) where lifecycle_state = 'restoring';
create index sessions_stopping on sessions (id) where lifecycle_state = 'archived' and sandbox_state ? 'expiresAt';
create index sessions_artist on sessions (artist_id) where artist_id is not null;
create trigger sessions_touch before update on sessions for each row execute function touch_updated_at();

-- Sandboxes of deleted sessions, waiting for their removal.
create table sandbox_removals (
  sandbox_name text primary key,
  state jsonb not null,
  created_at timestamptz not null default now(),
  -- A start under way may create the sandbox after its removal: it is looked for again when no start can be left.
  due_at timestamptz not null default now()
);
create index sandbox_removals_due on sandbox_removals (due_at);

-- Which machine of a fleet has the files of a sandbox. The row exists before the files do, and until they are removed, so that
-- files without a row, or of an older epoch, are leftovers. The epoch rises with each loss of a machine.
create table sandbox_places (
  sandbox_name text primary key,
  machine_id uuid not null,
  epoch integer not null default 1,
  -- When the newest loss was recorded.
  lost_at timestamptz
);

-- In a fleet: the newest checkpoint of a sandbox's files. It is deleted when the files are removed.
create table sandbox_checkpoints (
  sandbox_name text primary key references sandbox_places on delete cascade,
  -- Epoch of the files in the packs.
  epoch integer not null,
  -- The packs from which the files are restored, oldest first, as {id, bytes}. Empty: there is no checkpoint.
  packs jsonb not null default '[]',
  -- When the checkpoint was taken, and after which step.
  taken_at timestamptz,
  run_id text,
  step integer,
  -- Whether the newest checkpoint was skipped because the files exceeded the size limit.
  is_too_large boolean not null default false,
  -- Whether a later checkpoint has failed, so that the packs may lack the changes of several steps.
  is_outdated boolean not null default false,
  -- Set when a step starts to change files, until the next checkpoint.
  changed_at timestamptz
);

-- A row exists before its object and until the object is deleted. It outlives its sandbox.
create table sandbox_packs (
  id text primary key,
  sandbox_name text not null,
  created_at timestamptz not null default now()
);
create index sandbox_packs_created on sandbox_packs (created_at);
create index sandbox_packs_sandbox on sandbox_packs (sandbox_name);

-- The personal sandbox of an account: its source repository, and the snapshot that the next one starts from.
-- snapshot_id is null before the first setup takes a snapshot; taken_by: the run that took it.
create table account_snapshots (
  account_id uuid primary key references accounts (id) on delete cascade,
  snapshot_id text,
  taken_by text,
  expires_at timestamptz,
  github_repo text,
  created_at timestamptz not null default now()
);

-- Sandboxes that an account started by itself.
create table account_sandboxes (
  id text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  state jsonb not null,
  status text not null default 'pending' check (
    status in ('pending', 'running', 'stopping', 'stopped', 'failed', 'aborted', 'snapshotting')
  ),
  timeout_ms integer not null,
  created_at timestamptz not null default now()
);
create index account_sandboxes_account on account_sandboxes (account_id, created_at desc, id);

-- Snapshots of sandboxes with a fresh clone: the next sandboxes of the repository start from the latest.
create table base_snapshots (
  snapshot_id text primary key,
  sandbox_type text not null,
  clone_url text not null,
  commit text not null,
  size_bytes bigint not null,
  created_at timestamptz not null default now()
);
create index on base_snapshots (clone_url, sandbox_type, created_at desc);

-- Durable jobs other than chat turns, each one workflow with the run's id. Endpoints read this row, never the engine.
-- concurrency_key: of the runs with one key, one is live at a time. idempotency_key: unique within the job.
-- credits: charged to what the run started. version: the build that accepted the run.
create table background_runs (
  id text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  task_identifier text not null,
  status text not null default 'QUEUED' check (
    status in (
      'QUEUED', 'DELAYED', 'EXECUTING', 'REATTEMPTING', 'COMPLETED', 'FAILED', 'CANCELED', 'CRASHED', 'SYSTEM_FAILURE'
    )
  ),
  title text,
  tags jsonb not null default '[]',
  payload json,
  output json,
  error json,
  metadata jsonb,
  attempts jsonb not null default '[]',
  schedule json,
  related_runs json,
  idempotency_key text,
  concurrency_key text,
  credits bigint not null default 0,
  version text not null,
  delayed_until timestamptz,
  expired_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  engine_started_at timestamptz,
  cancel_requested_at timestamptz,
  cancel_delivered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- One run per nominal time of a task. The run stays readable when the task is deleted.
  task_id uuid,
  nominal_at timestamptz,
  -- Whether the owner may cancel the run: declared by its job.
  cancellable boolean not null default false,
  inherited jsonb,
  check ((finished_at is not null) = (status in ('COMPLETED', 'FAILED', 'CANCELED', 'CRASHED', 'SYSTEM_FAILURE'))),
  check (output is null or status = 'COMPLETED')
);
create index background_runs_account on background_runs (account_id, created_at desc, id);
create index background_runs_tags on background_runs using gin (tags jsonb_path_ops);
create unique index background_runs_idempotency on background_runs (task_identifier, idempotency_key)
  where idempotency_key is not null;
create unique index background_runs_concurrency on background_runs (concurrency_key)
  where concurrency_key is not null and finished_at is null;
create index background_runs_unstarted on background_runs (created_at)
  where engine_started_at is null and finished_at is null;
create index background_runs_live on background_runs (created_at) where finished_at is null;
create unique index background_runs_fire on background_runs (task_id, nominal_at) where nominal_at is not null;
create index background_runs_task on background_runs (task_id, created_at desc) where task_id is not null;
create index background_runs_finished on background_runs (finished_at) where finished_at is not null;
-- For the activity page of the operator.
create index background_runs_failed on background_runs (finished_at)
  where status in ('FAILED', 'CRASHED', 'SYSTEM_FAILURE');
create index background_runs_kind on background_runs (account_id, task_identifier, created_at desc, id desc);
create trigger background_runs_touch before update on background_runs for each row execute function touch_updated_at();

-- Scheduled tasks. The row is the truth; the engine's schedule follows it.
create table tasks (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  -- The task outlives its artist.
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
  updated_at timestamptz not null default now(),
  revision integer not null default 1,
  -- Tools whose calls a person must approve.
  approvals jsonb
);
create index tasks_account on tasks (account_id, created_at desc, id);
create index tasks_artist on tasks (artist_account_id);
-- What the plan counts, in the order in which it lets tasks run.
create index tasks_enabled on tasks (account_id, created_at, id) where enabled is not false;
