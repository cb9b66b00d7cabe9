-- Albums for which a measurement has no result: of a chunk, and of the whole job once it has ended.
alter table capture_chunks add column unmeasured_album_ids text[] not null default '{}';
alter table playcount_snapshots
  add column unmeasured_album_ids text[] not null default '{}',
  -- Snapshots whose unmeasured albums this one measures again; their counts belong to it as well.
  add column earlier_snapshot_ids uuid[] not null default '{}';
