-- Snapshots of sandboxes that hold a fresh clone: the next sandboxes of the repository start from the latest.
create table base_snapshots (
  snapshot_id text primary key,
  sandbox_type text not null,
  clone_url text not null,
  commit text not null,
  size_bytes bigint not null,
  created_at timestamptz not null default now()
);
create index on base_snapshots (clone_url, sandbox_type, created_at desc);
