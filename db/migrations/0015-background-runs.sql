-- Durable jobs other than chat turns, each one workflow with the run's id. Endpoints read this row and never the engine.
-- concurrency_key: of the runs that carry the same one, one at a time is live.
-- idempotency_key: unique within the job; the same start asked for twice is one run.
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
create trigger background_runs_touch before update on background_runs
  for each row execute function touch_updated_at();

-- The personal sandbox of an account: its source repository, and the snapshot that the next one starts from.
-- Without a snapshot until the first setup has taken one; taken_by is the run that took it.
create table account_snapshots (
  account_id uuid primary key references accounts (id) on delete cascade,
  snapshot_id text,
  taken_by text,
  expires_at timestamptz,
  github_repo text,
  created_at timestamptz not null default now()
);

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
