-- Catalogs, songs, play count measurements and valuations.

-- Collections of songs.
create table catalogs (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index catalogs_created on catalogs (created_at, id);
create trigger catalogs_touch before update on catalogs for each row execute function touch_updated_at();

create function account_catalogs_take_time() returns trigger language plpgsql as $$
begin
  select created_at into new.catalog_created_at from catalogs where id = new.catalog_id;
  return new;
end $$;

-- Owners of a catalog: persons and organizations.
create table account_catalogs (
  account_id uuid not null references accounts (id) on delete cascade,
  catalog_id uuid not null references catalogs (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- The time of the catalog, for the order of lists.
  catalog_created_at timestamptz,
  primary key (account_id, catalog_id)
);
create index account_catalogs_catalog on account_catalogs (catalog_id);
create index account_catalogs_latest on account_catalogs (account_id, catalog_created_at desc, catalog_id);
create trigger account_catalogs_time before insert on account_catalogs
  for each row execute function account_catalogs_take_time();

-- A recording as the streaming platform describes it. No account writes here.
create table songs (
  isrc text primary key,
  name text,
  album text,
  lyrics text,
  artwork_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger songs_touch before update on songs for each row execute function touch_updated_at();

-- The songs of a catalog with the texts of its owners, which only they read.
create table catalog_songs (
  catalog_id uuid not null references catalogs (id) on delete cascade,
  isrc text not null references songs (isrc) on delete cascade,
  name text,
  album text,
  lyrics text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (catalog_id, isrc)
);
create index catalog_songs_song on catalog_songs (isrc);
create trigger catalog_songs_touch before update on catalog_songs for each row execute function touch_updated_at();

-- Without a catalog a link comes from the platform and holds everywhere; with one it holds in that catalog only.
create table song_artists (
  isrc text not null references songs (isrc) on delete cascade,
  artist_id uuid not null references accounts (id) on delete restrict,
  catalog_id uuid references catalogs (id) on delete cascade,
  unique nulls not distinct (isrc, artist_id, catalog_id)
);
create index song_artists_artist on song_artists (artist_id, isrc);
create index song_artists_catalog on song_artists (catalog_id) where catalog_id is not null;

-- Ids of a recording on a platform: several when it is on several albums.
create table song_identifiers (
  isrc text not null references songs (isrc) on delete cascade,
  platform text not null,
  identifier_type text not null check (identifier_type in ('track_id', 'album_id')),
  value text not null,
  primary key (isrc, platform, identifier_type, value)
);
create index song_identifiers_value on song_identifiers (platform, identifier_type, value, isrc);

-- A measurement job and the snapshot that it produces. album_ids are in the order of measurement.
create table playcount_snapshots (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  catalog_id uuid references catalogs (id) on delete set null,
  run_id text not null unique,
  streaming_artist_id text,
  album_ids text[] not null,
  isrcs text[],
  platforms text[] not null,
  album_hash text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  error text check (error in ('provider_failed', 'no_play_counts', 'timeout')),
  album_count integer not null check (album_count > 0),
  estimated_cost_usd numeric(14, 6) not null check (estimated_cost_usd >= 0),
  credits_charged bigint not null default 0 check (credits_charged >= 0),
  earliest_release date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Albums without a result, once the job has ended.
  unmeasured_album_ids text[] not null default '{}',
  -- Snapshots whose unmeasured albums this one measures again; it includes their counts.
  earlier_snapshot_ids uuid[] not null default '{}'
);
create index playcount_snapshots_albums on playcount_snapshots (account_id, album_hash, created_at);
create index playcount_snapshots_artist on playcount_snapshots (account_id, streaming_artist_id, created_at)
  where streaming_artist_id is not null;
create index playcount_snapshots_account on playcount_snapshots (account_id, created_at, id);
create index playcount_snapshots_catalog on playcount_snapshots (catalog_id, created_at) where catalog_id is not null;
create index playcount_snapshots_live on playcount_snapshots (id) where state in ('queued', 'running');
create trigger playcount_snapshots_touch before update on playcount_snapshots
  for each row execute function touch_updated_at();

-- A part of a measurement job: one run of the provider. The row is stored before the provider is called, so that a
-- retry without a provider_run_id first looks for the run by its key.
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
  -- Albums without a result.
  unmeasured_album_ids text[] not null default '{}',
  primary key (snapshot_id, chunk)
);
-- Runs of the scraper per account are counted before each start.
create index capture_chunks_open on capture_chunks (snapshot_id) where outcome = 'open';
create trigger capture_chunks_touch before update on capture_chunks for each row execute function touch_updated_at();

-- What a platform showed for a recording at one time. Rows are never changed. The unique key includes the value, so
-- that the latest count of a song is one index lookup.
create table song_measurements (
  id bigint generated always as identity primary key,
  isrc text not null references songs (isrc) on delete cascade,
  platform text not null,
  metric text not null,
  value bigint not null check (value between 0 and 1000000000000),
  captured_at timestamptz not null,
  data_source text not null,
  raw_ref text,
  snapshot_id uuid references playcount_snapshots (id) on delete set null,
  unique (isrc, platform, metric, captured_at) include (value)
);
create index song_measurements_snapshot on song_measurements (snapshot_id, isrc) where snapshot_id is not null;

-- The newest measurement of each song, so that valuing a catalog does not slow down with its history. Written in one
-- statement with the measurement.
create table latest_measurements (
  isrc text not null references songs (isrc) on delete cascade,
  platform text not null,
  metric text not null,
  value bigint not null,
  captured_at timestamptz not null,
  primary key (isrc, platform, metric)
);

-- Estimates of a catalog over time. run_id: the valuation that wrote the row, which may write it twice.
create table catalog_valuations (
  id uuid primary key default gen_random_uuid(),
  catalog_id uuid not null references catalogs (id) on delete cascade,
  low numeric(20, 2) not null check (low >= 0),
  mid numeric(20, 2) not null check (mid >= 0),
  high numeric(20, 2) not null check (high >= 0),
  measured_song_count integer not null,
  total_streams bigint not null check (total_streams >= 0),
  source text not null check (source in ('run', 'read')),
  run_id text unique,
  measured_at timestamptz not null default now(),
  measured_on date not null default (now() at time zone 'UTC')::date
);
create index catalog_valuations_latest on catalog_valuations (catalog_id, measured_at desc, id);
create unique index catalog_valuations_read on catalog_valuations (catalog_id, measured_on) where source = 'read';
