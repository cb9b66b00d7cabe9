-- Accounts and organizations, sign-in, the audit log, idempotency keys and limits.

create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

-- Persons, organizations and artists are rows of one table, distinguished by kind.
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
-- The artists that a workspace made, by name.
create index accounts_made_by on accounts (created_by, lower(name)) where created_by is not null;
create trigger accounts_touch before update on accounts for each row execute function touch_updated_at();

-- Addresses of an account; each belongs to one account.
create table account_emails (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  email text not null unique,
  created_at timestamptz not null default now()
);
create index account_emails_account on account_emails (account_id);

-- Profile and instructions of an account.
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

-- Notifies API processes, when the change commits, that an account may have lost access: they recheck its open
-- responses.
create function notify_access_revoked() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_revoked', old.account_id::text);
  return null;
end $$;

-- Members of organizations, and those who are invited.
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
create index account_organization_ids_organization on account_organization_ids (organization_id, created_at, id);
create index account_organization_ids_account on account_organization_ids (account_id, state, created_at, id);
create trigger memberships_revoked after delete or update of state, organization_id, account_id on account_organization_ids
  for each row execute function notify_access_revoked();

-- Artists in the roster of a person.
create table account_artist_ids (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  artist_id uuid not null references accounts (id) on delete cascade,
  pinned boolean not null default false,
  created_at timestamptz not null default now(),
  unique (account_id, artist_id)
);
-- Whether a roster still has an artist.
create index account_artist_ids_artist on account_artist_ids (artist_id);

-- Artists in the roster of an organization.
create table artist_organization_ids (
  id uuid primary key default gen_random_uuid(),
  artist_id uuid not null references accounts (id) on delete cascade,
  organization_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (artist_id, organization_id)
);
create index artist_organization_ids_organization on artist_organization_ids (organization_id);

-- What a workspace (a person or an organization) writes about an artist. Null: nothing.
create table artist_workspace_texts (
  workspace_id uuid not null references accounts (id) on delete cascade,
  artist_id uuid not null references accounts (id) on delete cascade,
  name text,
  image text,
  instruction text,
  label text,
  knowledges jsonb,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, artist_id)
);
create index artist_workspace_texts_artist on artist_workspace_texts (artist_id, workspace_id);
create trigger artist_workspace_texts_touch before update on artist_workspace_texts
  for each row execute function touch_updated_at();

-- When an account last received a mail about an invitation. The row outlives the invitation, so that inviting and
-- withdrawing in turn sends no second mail.
create table invitation_mails (
  account_id uuid not null references accounts (id) on delete cascade,
  organization_id uuid not null references accounts (id) on delete cascade,
  mailed_at timestamptz not null default now(),
  primary key (account_id, organization_id)
);
create index invitation_mails_organization on invitation_mails (organization_id);

-- Accounts that have accepted an invitation once. The row outlives the membership.
create table invitation_acceptances (
  account_id uuid primary key references accounts (id) on delete cascade,
  accepted_at timestamptz not null default now()
);

-- One row per address. code_hash: HMAC of address and code. The hourly window outlives the codes of its hour.
create table email_verifications (
  email text primary key,
  code_hash text not null,
  expires_at timestamptz not null,
  attempts integer not null default 0 check (attempts between 0 and 5),
  window_start timestamptz not null default now(),
  window_attempts integer not null default 0
);

-- Codes of the embedded issuer; each is exchanged once.
create table sign_in_codes (
  code_hash text primary key,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  nonce text,
  email text not null,
  expires_at timestamptz not null
);
create index sign_in_codes_expires on sign_in_codes (expires_at);

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

-- One row per state-changing call, partitioned by month, so that retention drops partitions and no role may delete
-- rows.
create table audit_log (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  caller uuid,
  effective_account uuid,
  key_id uuid,
  action text not null,
  object text,
  request_id text,
  result integer not null,
  primary key (id, at)
) partition by range (at);
create table audit_log_default partition of audit_log default;
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();

-- Makes the partition of a month, given by any of its days. A month with rows in the default partition stays there.
create function make_audit_partition(month date) returns void
language plpgsql security definer set search_path to pg_catalog, pg_temp as $$
declare
  first date := date_trunc('month', month)::date;
begin
  if to_regclass('public.audit_log_' || to_char(first, 'YYYYMM')) is null
    and not exists (select from public.audit_log_default where at >= first and at < first + interval '1 month') then
    execute format(
      'create table public.%I partition of public.audit_log for values from (%L) to (%L)',
      'audit_log_' || to_char(first, 'YYYYMM'), first::timestamp at time zone 'UTC',
      (first + interval '1 month') at time zone 'UTC'
    );
  end if;
end $$;

-- Drops the months of the audit that ended before the day. The application role may call it, so it always keeps 90
-- days.
create function drop_audit_partitions(before date) returns setof text
language plpgsql security definer set search_path to pg_catalog, pg_temp as $$
declare
  part text;
begin
  for part in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'public.audit_log'::regclass and relname ~ '^audit_log_[0-9]{6}$'
      and to_date(right(relname, 6), 'YYYYMM') + interval '1 month' <= least(before, current_date - 90)
    order by 1
  loop
    execute format('drop table public.%I', part);
    return next part;
  end loop;
end $$;
revoke execute on function make_audit_partition, drop_audit_partitions from public;

-- body is json: a replay has the bytes of the first response.
-- holder: advisory lock of the API process that owns a pending row; when the lock is free, that process is dead.
create table idempotency_keys (
  account_id uuid not null references accounts (id) on delete cascade,
  route text not null,
  key text not null,
  request_hash text not null,
  state text not null check (state in ('pending', 'done')),
  holder bigint not null,
  status integer,
  body json,
  headers jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, route, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- Slow limits that hold across all API processes. The others are counted in memory.
create table rate_counts (
  name text primary key,
  count integer not null,
  ends_at timestamptz not null
);
create index rate_counts_ends on rate_counts (ends_at);

-- Outcome of the last recorded call of each model.
create table model_outcomes (
  model_id text primary key,
  outcome text not null check (outcome in ('answered', 'refused', 'failed')),
  called_at timestamptz not null default now()
);
