-- Profiles on other platforms, shared by all workspaces. One row per address in its normal form.
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

-- `added_by` is the workspace that linked the profile.
create table account_socials (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  social_id uuid not null references socials (id) on delete cascade,
  added_by uuid,
  created_at timestamptz not null default now(),
  unique (account_id, social_id)
);
create index account_socials_social on account_socials (social_id, created_at, id);
