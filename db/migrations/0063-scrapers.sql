-- What people published on a profile. Counts that a platform does not report are null; those that it reports later stay.
create table posts (
  id uuid primary key default gen_random_uuid(),
  post_url text not null unique,
  published_at timestamptz not null,
  views bigint check (views >= 0),
  likes bigint check (likes >= 0),
  comments bigint check (comments >= 0),
  reposts bigint check (reposts >= 0),
  created_at timestamptz not null default now()
);
create index posts_published on posts (published_at, id);

create table social_posts (
  social_id uuid not null references socials (id) on delete cascade,
  post_id uuid not null references posts (id) on delete cascade,
  primary key (social_id, post_id)
);
create index social_posts_post on social_posts (post_id);

-- How many followed a profile on a day (UTC): the last count of the day.
create table social_snapshots (
  social_id uuid not null references socials (id) on delete cascade,
  captured_on date not null,
  captured_at timestamptz not null,
  follower_count bigint check (follower_count >= 0),
  following_count bigint check (following_count >= 0),
  post_count bigint check (post_count >= 0),
  primary key (social_id, captured_on)
);

-- A scrape of several profiles: its id is that of its background run.
create table scraper_batches (
  run_id text primary key,
  dataset_id text not null unique,
  account_id uuid not null references accounts (id) on delete cascade,
  artist_id uuid,
  posts integer,
  credits bigint not null check (credits >= 0),
  state text not null check (state in ('QUEUED', 'EXECUTING', 'COMPLETED', 'FAILED')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index scraper_batches_account on scraper_batches (account_id, created_at desc);
create index scraper_batches_created on scraper_batches (created_at);
create index scraper_batches_live on scraper_batches (run_id) where state in ('QUEUED', 'EXECUTING');
create trigger scraper_batches_touch before update on scraper_batches for each row execute function touch_updated_at();

-- One profile of a batch, for which the provider is asked once. `asked_at` is set before it is asked, so that whoever finds
-- it without a provider run looks for one first.
create table scraper_runs (
  run_id text primary key,
  dataset_id text not null unique,
  batch_run_id text not null references scraper_batches (run_id) on delete cascade,
  position integer not null,
  social_id uuid references socials (id) on delete set null,
  platform text not null,
  profile_url text not null,
  handle text not null,
  provider_run_id text unique,
  state text not null default 'QUEUED' check (state in ('QUEUED', 'EXECUTING', 'COMPLETED', 'FAILED')),
  error text,
  new_post_urls jsonb not null default '[]',
  post_ids uuid[] not null default '{}',
  asked_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  unique (batch_run_id, position)
);
create index scraper_runs_live on scraper_runs (asked_at) where asked_at is not null and finished_at is null;
