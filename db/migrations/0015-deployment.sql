-- The deployment, its machines and their processes.

-- Identity of this deployment. A copy of the database has the same id; the epoch rises when a copy takes over, and the
-- original is then refused the task queue.
create table deployment (
  singleton boolean primary key default true check (singleton),
  id uuid not null default gen_random_uuid(),
  epoch integer not null default 1
);
insert into deployment default values;

-- A machine is one DATA_DIR: its processes share sandboxes and the local stores. Each of them updates the row every few
-- seconds.
create table machines (
  id uuid primary key,
  address text not null,
  build text not null,
  first_seen_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- Since when the machine has reported without a gap. After an outage of Postgres no machine has, and none counts as lost.
  reports_since timestamptz not null default now(),
  -- Where the workers of a machine serve its sandboxes to other machines. Null: they do not.
  sandbox_address text
) with (fillfactor = 50);

-- Figures that each process reports every few seconds. A process deletes its row when it stops; a row whose process no
-- longer holds the advisory lock process_id belongs to a dead process.
create table process_reports (
  process_id bigint primary key,
  part text not null check (part in ('api', 'worker')),
  machine_id uuid not null,
  host text not null,
  pid integer not null,
  build text not null,
  started_at timestamptz not null,
  reported_at timestamptz not null default now(),
  figures jsonb not null,
  -- When another process began to report the activities of this dead one.
  answered_at timestamptz
) with (fillfactor = 50);

-- Beats of the workers that advance turns at present. A row whose count stands still belongs to a stalled worker. Lost in a
-- crash of Postgres without harm: each busy worker inserts its row again within a second.
create unlogged table worker_pulses (
  process_id bigint primary key,
  beats bigint not null
) with (fillfactor = 50);
