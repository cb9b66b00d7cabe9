-- Social profiles and their scrapes, music, videos, and the team chat in which videos are requested.

-- Profiles on other platforms, shared by all workspaces. One row per normalized address.
create table socials (
  id uuid primary key default gen_random_uuid(),
  profile_url text not null unique,
  type text not null,
  username text,
  avatar text,
  bio text,
  region text,
  follower_count bigint check (follower_count >= 0),
  following_count bigint check (following_count >= 0),
  updated_at timestamptz not null default now()
);
create trigger socials_touch before update on socials for each row execute function touch_updated_at();

-- added_by: the workspace that linked the profile.
create table account_socials (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  social_id uuid not null references socials (id) on delete cascade,
  added_by uuid,
  created_at timestamptz not null default now(),
  unique (account_id, social_id)
);
create index account_socials_social on account_socials (social_id, created_at, id);

-- Posts of a profile. Counts that a platform does not report are null; counts reported later are kept.
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

create function social_posts_take_time() returns trigger language plpgsql as $$
begin
  select published_at into new.published_at from posts where id = new.post_id;
  return new;
end $$;

-- Posts by profile; the link repeats the time of the post, so that the list of a profile is read in the order of an
-- index.
create table social_posts (
  social_id uuid not null references socials (id) on delete cascade,
  post_id uuid not null references posts (id) on delete cascade,
  published_at timestamptz,
  primary key (social_id, post_id)
);
create index social_posts_post on social_posts (post_id);
create index social_posts_latest on social_posts (social_id, published_at desc, post_id);
create trigger social_posts_time before insert on social_posts for each row execute function social_posts_take_time();

-- A later scrape may correct the time of a post.
create function posts_give_time() returns trigger language plpgsql as $$
begin
  update social_posts set published_at = new.published_at where post_id = new.id;
  return null;
end $$;
create trigger posts_time after update of published_at on posts
  for each row when (old.published_at is distinct from new.published_at) execute function posts_give_time();

-- Followers of a profile by day (UTC): the last count of the day.
create table social_snapshots (
  social_id uuid not null references socials (id) on delete cascade,
  captured_on date not null,
  captured_at timestamptz not null,
  follower_count bigint check (follower_count >= 0),
  following_count bigint check (following_count >= 0),
  post_count bigint check (post_count >= 0),
  primary key (social_id, captured_on)
);

-- A scrape of several profiles; its id is that of its background run.
create table scraper_batches (
  run_id text primary key,
  dataset_id text not null unique,
  account_id uuid not null references accounts (id) on delete cascade,
  artist_id uuid,
  posts integer,
  credits bigint not null check (credits >= 0),
  state text not null check (state in ('QUEUED', 'EXECUTING', 'COMPLETED', 'FAILED')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Since when the batch has waited for a free slot of the scraper; null: it does not wait.
  waiting_since timestamptz
);
create index scraper_batches_account on scraper_batches (account_id, created_at desc);
create index scraper_batches_created on scraper_batches (created_at);
create index scraper_batches_live on scraper_batches (run_id) where state in ('QUEUED', 'EXECUTING');
create index scraper_batches_waiting on scraper_batches (waiting_since) where waiting_since is not null;
create trigger scraper_batches_touch before update on scraper_batches for each row execute function touch_updated_at();

-- One profile of a batch: one run of the provider. asked_at is set before the provider is called, so that a retry
-- without a provider run looks for one first.
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
create index scraper_runs_social on scraper_runs (social_id) where social_id is not null;
create index scraper_runs_live on scraper_runs (asked_at) where asked_at is not null and finished_at is null;

-- A track. asked_at is set before the renderer is called, so that a retry without a request id looks for the request
-- before it sends another. logs: the last lines of the renderer.
create table music_generations (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  run_id text not null unique,
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'failed')),
  model text not null,
  prompt text not null,
  lyrics text not null,
  parameters jsonb not null,
  duration_seconds numeric check (duration_seconds > 0),
  storage_key text unique,
  asked_at timestamptz,
  provider_request_id text,
  logs jsonb not null default '[]',
  error_message text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'completed') = (storage_key is not null)),
  check ((status = 'failed') = (error_message is not null))
);
create index music_generations_account on music_generations (account_id, created_at desc, id desc);
create index music_generations_live on music_generations (id) where status in ('pending', 'processing');
create index music_generations_request on music_generations (provider_request_id text_pattern_ops)
  where status = 'processing';
create index music_generations_status on music_generations (account_id, status, created_at desc, id desc);
create trigger music_generations_touch before update on music_generations
  for each row execute function touch_updated_at();

-- A video; its run is a background run. turn numbers the runs of a batch. asked_at is set before the renderer is
-- called, so that a retry without a request id looks for the request before it sends another.
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
create index content_runs_artist on content_runs (artist_account_id) where artist_account_id is not null;
create index content_runs_live on content_runs (run_id) where state in ('queued', 'running');
create index content_runs_request on content_runs (provider_request_id text_pattern_ops) where state = 'running';
create trigger content_runs_touch before update on content_runs for each row execute function touch_updated_at();

-- Mentions that the chat platform delivered, and their jobs. done_at: the mention was handled.
create table chat_platform_events (
  event_id text primary key,
  workspace_id text not null,
  thread_id text not null,
  text text not null,
  done_at timestamptz,
  received_at timestamptz not null default now()
);
create index chat_platform_events_waiting on chat_platform_events (event_id) where done_at is null;
create index chat_platform_events_received on chat_platform_events (received_at);

-- A thread in which videos are made. outcome: the state that it takes when everything is posted.
create table content_threads (
  thread_id text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  state text not null check (state in ('running', 'posting', 'completed', 'failed', 'timeout')),
  outcome text check (outcome in ('completed', 'failed', 'timeout')),
  artist_account_id uuid not null,
  template text not null,
  lipsync boolean not null,
  batch integer not null,
  run_ids text[] not null,
  poll_run_id text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (state <> 'posting' or outcome is not null)
);
create index content_threads_account on content_threads (account_id);
create index content_threads_live on content_threads (thread_id) where state in ('running', 'posting');
create trigger content_threads_touch before update on content_threads for each row execute function touch_updated_at();

-- What is posted to a thread, once per key, in the order of place. asked_at is set before the platform is called, so
-- that a retry looks for the post before it repeats it. in_doubt: it is unknown whether the post arrived.
create table chat_posts (
  thread_id text not null,
  key text not null,
  place bigint generated always as identity,
  text text not null,
  file jsonb,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'in_doubt')),
  asked_at timestamptz,
  message_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (thread_id, key)
);
create index chat_posts_waiting on chat_posts (thread_id, place) where state = 'waiting';
create index chat_posts_created on chat_posts (created_at);
create trigger chat_posts_touch before update on chat_posts for each row execute function touch_updated_at();
