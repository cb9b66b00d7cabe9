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
