-- One row per address. `code_hash` is the HMAC of address and code; the hourly window outlives the codes of its hour.
create table email_verifications (
  email text primary key,
  code_hash text not null,
  expires_at timestamptz not null,
  attempts integer not null default 0 check (attempts between 0 and 5),
  window_start timestamptz not null default now(),
  window_attempts integer not null default 0
);

create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
