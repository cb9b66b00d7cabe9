-- A video that is made: its run is a background run. turn tells the runs of a batch apart. asked_at is set before the
-- renderer is asked, so that whoever finds it without a request id looks for the request before sending another one.
create table content_runs (
  run_id text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  artist_account_id uuid references accounts (id) on delete set null,
  artist_name text not null,
  wish jsonb not null,
  turn integer not null check (turn >= 0),
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed')),
  image_key text,
  song jsonb,
  clip jsonb,
  caption text,
  asked_at timestamptz,
  provider_request_id text,
  video_key text,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (state <> 'completed' or video_key is not null),
  check (state <> 'failed' or error is not null)
);
create index content_runs_account on content_runs (account_id, created_at desc);
create index content_runs_live on content_runs (run_id) where state in ('queued', 'running');
create index content_runs_request on content_runs (provider_request_id text_pattern_ops) where state = 'running';
create trigger content_runs_touch before update on content_runs for each row execute function touch_updated_at();
