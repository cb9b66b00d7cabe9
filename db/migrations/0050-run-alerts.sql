-- Runs that ended in another way than they should, for a person to look at. They outlive their run: what was not
-- charged is not forgotten with the chat.
create table run_alerts (
  run_id text not null,
  reason text not null check (reason in ('not_charged', 'forced_end')),
  account_id uuid not null references accounts (id) on delete cascade,
  -- What the failure said, for the operator alone.
  detail text not null,
  created_at timestamptz not null default now(),
  primary key (run_id, reason)
);
create index run_alerts_account on run_alerts (account_id);
