-- Prompts that people keep for their agents. A private one is its owner's and that of whoever holds an address of its list,
-- which stays when the template becomes public.
create table agent_templates (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  description text not null,
  prompt text not null,
  tags text[] not null default '{}',
  creator uuid references accounts (id) on delete set null,
  is_private boolean not null default false,
  favorites_count integer not null default 0 check (favorites_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index agent_templates_creator on agent_templates (creator);

create table agent_template_shares (
  template_id uuid not null references agent_templates (id) on delete cascade,
  email text not null,
  position integer not null,
  primary key (template_id, email)
);
create index agent_template_shares_email on agent_template_shares (email);

create table agent_template_favorites (
  template_id uuid not null references agent_templates (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (template_id, account_id)
);
create index agent_template_favorites_account on agent_template_favorites (account_id);

-- Whoever inserts or deletes the row of a favorite, also with an account, changes the count by it.
create function count_template_favorite() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update agent_templates set favorites_count = favorites_count + 1 where id = new.template_id;
  else
    update agent_templates set favorites_count = favorites_count - 1 where id = old.template_id;
  end if;
  return null;
end;
$$;
create trigger agent_template_favorites_count after insert or delete on agent_template_favorites
  for each row execute function count_template_favorite();
