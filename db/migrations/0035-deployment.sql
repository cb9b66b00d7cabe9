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
  seen_at timestamptz not null default now()
) with (fillfactor = 50);

-- Null in the reports of older builds.
alter table process_reports add column machine_id uuid;
