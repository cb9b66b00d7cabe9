-- Jobs of the embedded renderer. process_id: key of the advisory lock of the process that renders; a job of a dead
-- process is claimed again. attempt: what an earlier one writes is ignored.
create table embedded_renders (
  id text primary key,
  request jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed')),
  process_id bigint,
  attempt integer not null default 0,
  logs jsonb not null default '[]',
  file jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on embedded_renders (created_at) where state in ('queued', 'running');
create index on embedded_renders (updated_at) where state in ('completed', 'failed');
