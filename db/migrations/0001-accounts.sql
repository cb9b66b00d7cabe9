-- Persons, organizations and artists are rows of one table, told apart by kind.
create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;

create table accounts (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('person', 'organization', 'artist')),
  name text,
  created_by uuid,
  first_authenticated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index accounts_kind on accounts (kind);
create trigger accounts_touch before update on accounts for each row execute function touch_updated_at();

create table account_emails (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  email text not null unique,
  created_at timestamptz not null default now()
);
create index account_emails_account on account_emails (account_id);

create table account_info (
  account_id uuid primary key references accounts (id) on delete cascade,
  image text,
  instruction text,
  organization text,
  job_title text,
  role_type text,
  company_name text,
  knowledges jsonb not null default '[]',
  updated_at timestamptz not null default now()
);

create table account_api_keys (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null,
  key_hash text not null unique,
  expires_at timestamptz,
  last_used timestamptz,
  created_at timestamptz not null default now()
);
create index account_api_keys_account on account_api_keys (account_id, created_at desc);

create table account_organization_ids (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  organization_id uuid not null references accounts (id) on delete cascade,
  state text not null check (state in ('invited', 'member')),
  invited_by uuid,
  invited_at timestamptz,
  created_at timestamptz not null default now(),
  unique (account_id, organization_id)
);
create index account_organization_ids_organization on account_organization_ids (organization_id);

create table account_artist_ids (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  artist_id uuid not null references accounts (id) on delete cascade,
  pinned boolean not null default false,
  created_at timestamptz not null default now(),
  unique (account_id, artist_id)
);

create table artist_organization_ids (
  id uuid primary key default gen_random_uuid(),
  artist_id uuid not null references accounts (id) on delete cascade,
  organization_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (artist_id, organization_id)
);

-- One row per state-changing call.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  caller uuid,
  effective_account uuid,
  key_id uuid,
  action text not null,
  object text,
  request_id text,
  result integer not null
);
