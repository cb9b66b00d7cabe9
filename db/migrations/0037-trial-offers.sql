-- The checkout that carries the trial of a plan for an account: as long as it may be open, no other one does.
create table trial_offers (
  account_id uuid not null references accounts (id) on delete cascade,
  plan text not null check (plan in ('starter', 'pro')),
  -- Hash of what the checkout was asked for, and the name under which the provider opens it once.
  asked text not null,
  provider_key text not null,
  opened_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (account_id, plan)
);
