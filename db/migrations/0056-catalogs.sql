create table catalogs (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index catalogs_created on catalogs (created_at, id);
create trigger catalogs_touch before update on catalogs for each row execute function touch_updated_at();

-- Who owns a catalog: persons and organizations.
create table account_catalogs (
  account_id uuid not null references accounts (id) on delete cascade,
  catalog_id uuid not null references catalogs (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, catalog_id)
);
create index account_catalogs_catalog on account_catalogs (catalog_id);

-- What the streaming platform says of a recording. No account writes here.
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

-- The songs of a catalog, and what its owners say of them: nobody else reads these texts.
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

-- Without a catalog a link is of the platform and holds for everybody; with one it holds in that catalog alone.
create table song_artists (
  isrc text not null references songs (isrc) on delete cascade,
  artist_id uuid not null references accounts (id) on delete restrict,
  catalog_id uuid references catalogs (id) on delete cascade,
  unique nulls not distinct (isrc, artist_id, catalog_id)
);
create index song_artists_artist on song_artists (artist_id, isrc);
create index song_artists_catalog on song_artists (catalog_id) where catalog_id is not null;

-- Under which ids a platform has a recording: several, where it is on several albums.
create table song_identifiers (
  isrc text not null references songs (isrc) on delete cascade,
  platform text not null,
  identifier_type text not null check (identifier_type in ('track_id', 'album_id')),
  value text not null,
  primary key (isrc, platform, identifier_type, value)
);
create index song_identifiers_value on song_identifiers (platform, identifier_type, value, isrc);

-- A measurement job and the snapshot that comes of it. `album_ids` are in the order in which they are measured.
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
  updated_at timestamptz not null default now()
);
create index playcount_snapshots_albums on playcount_snapshots (account_id, album_hash, created_at);
create index playcount_snapshots_artist on playcount_snapshots (account_id, streaming_artist_id, created_at)
  where streaming_artist_id is not null;
create index playcount_snapshots_account on playcount_snapshots (account_id, created_at, id);
create index playcount_snapshots_catalog on playcount_snapshots (catalog_id, created_at) where catalog_id is not null;
create trigger playcount_snapshots_touch before update on playcount_snapshots
  for each row execute function touch_updated_at();

-- What a platform showed beside a recording at one time. Rows are added and never changed. The key carries the value, so
-- that the latest count of a song is one look into the index, however many counts there are.
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

-- The history of what a catalog was estimated at. `run_id` is the valuation that wrote the row, which may write it twice.
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
