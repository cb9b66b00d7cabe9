-- Who has accepted an invitation once. It outlives the membership.
create table invitation_acceptances (
  account_id uuid primary key references accounts (id) on delete cascade,
  accepted_at timestamptz not null default now()
);
insert into invitation_acceptances (account_id)
select distinct account_id from account_organization_ids where state = 'member' and invited_by is not null;
