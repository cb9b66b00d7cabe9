-- Sign-ins of the console that survive a reload. A row is a family of cookies: each exchange replaces the current one.
-- Only hashes are stored. The id is public; it is no part of the cookie.
create table console_sign_ins (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  family_hash text not null unique,
  token_hash text not null,
  -- The token before the current one. It still works for a moment after the rotation, for other tabs and lost responses.
  previous_hash text,
  rotated_at timestamptz not null default now(),
  user_agent text not null,
  created_at timestamptz not null default now(),
  last_used timestamptz not null default now(),
  expires_at timestamptz not null
);
create index console_sign_ins_account on console_sign_ins (account_id, created_at desc, id);
create index console_sign_ins_expires on console_sign_ins (expires_at);
create trigger console_sign_ins_revoked after delete on console_sign_ins
  for each row execute function notify_access_revoked();

-- The keys that a sign-in made end with it.
alter table account_api_keys add column sign_in_id uuid references console_sign_ins (id) on delete cascade;
create index account_api_keys_sign_in on account_api_keys (sign_in_id) where sign_in_id is not null;
