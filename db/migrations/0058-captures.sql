-- A part of a measurement job, for which the provider is asked once. The row is there before the provider is asked, so that
-- whoever finds it without the id of a run looks for the run by its key first.
create table capture_chunks (
  snapshot_id uuid not null references playcount_snapshots (id) on delete cascade,
  chunk integer not null check (chunk >= 0),
  album_count integer not null check (album_count > 0),
  provider_run_id text,
  outcome text not null default 'open' check (outcome in ('open', 'written', 'failed')),
  measured_count integer not null default 0,
  is_paid boolean not null default false,
  -- One for all counts of the chunk, however often they are written.
  captured_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (snapshot_id, chunk)
);
create trigger capture_chunks_touch before update on capture_chunks for each row execute function touch_updated_at();

-- Runs of the embedded scraper, which stands in for a vendor's: no part of our own books.
create table embedded_scraper_runs (
  id text primary key,
  run_key text not null unique,
  kind text not null,
  input jsonb not null,
  aborted_at timestamptz,
  created_at timestamptz not null default now()
);
create index embedded_scraper_runs_created on embedded_scraper_runs (created_at);

-- Jobs that have not ended, for whoever looks for those that were left behind.
create index playcount_snapshots_live on playcount_snapshots (id) where state in ('queued', 'running');
