-- When an account was last told of an invitation. It outlives the invitation: asking and taking back in turn sends no
-- second mail.
create table invitation_mails (
  account_id uuid not null references accounts (id) on delete cascade,
  organization_id uuid not null references accounts (id) on delete cascade,
  mailed_at timestamptz not null default now(),
  primary key (account_id, organization_id)
);
