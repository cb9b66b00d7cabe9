-- Limits that hold over all API processes together: few and slow ones. The others are counted in memory.
create table rate_counts (
  name text primary key,
  count integer not null,
  ends_at timestamptz not null
);
create index rate_counts_ends on rate_counts (ends_at);
