-- What upload tokens of the built-in store were used for: each makes one file. The rows of a day are their account's quota.
create table uploads (
  -- SHA-256 of the token.
  token_id text primary key,
  account_id uuid not null,
  pathname text not null,
  -- Names the parts; null for a file that comes in one request.
  parts_id text,
  requests integer not null default 1,
  -- Set once the file is stored: the token is used up.
  etag text,
  stored_bytes bigint not null default 0,
  begun_at timestamptz not null default now()
);
create index uploads_of_account on uploads (account_id, begun_at);
create index uploads_begun on uploads (begun_at);

-- Bytes of an upload before it is stored. Part 0 is the whole file, or of an upload in parts the file that joins them.
create table upload_pieces (
  token_id text not null references uploads (token_id) on delete cascade,
  part integer not null,
  -- Null until the part has come.
  received_bytes bigint,
  reserved_bytes bigint not null default 0,
  requests integer not null default 1,
  -- The request that the bytes are reserved for, and the advisory lock of its process.
  attempt uuid unique,
  holder bigint,
  expires_at timestamptz,
  primary key (token_id, part),
  check ((attempt is null) = (holder is null) and (attempt is null) = (expires_at is null)),
  check (attempt is not null or reserved_bytes = 0)
);
create index upload_pieces_reserved on upload_pieces (holder) include (reserved_bytes) where attempt is not null;
