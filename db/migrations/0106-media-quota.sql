-- What finished media of accounts take: the sum of each account, the objects behind it, and what puts that are under way
-- have reserved. An object whose account is null is to be deleted: its account is gone, or its owner deleted it.
create table media_usage (
  account_id uuid primary key references accounts (id) on delete cascade,
  bytes bigint not null default 0 check (bytes >= 0)
);
create table media_objects (
  key text primary key,
  account_id uuid references accounts (id) on delete set null,
  bytes bigint not null check (bytes >= 0)
);
create index media_objects_account on media_objects (account_id);
create index media_objects_unowned on media_objects (key) where account_id is null;
create table media_reservations (
  attempt uuid primary key,
  account_id uuid references accounts (id) on delete cascade,
  bytes bigint not null check (bytes >= 0),
  expires_at timestamptz not null
);
create index media_reservations_account on media_reservations (account_id);
create index media_reservations_expires on media_reservations (expires_at);
