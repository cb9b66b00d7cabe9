-- Agent templates and projects.

-- Prompts for agents. A private template is visible to its owner and to the addresses of its share list, which stays
-- when the template becomes public.
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
create index agent_templates_public on agent_templates (title collate "und-x-icu", id) where not is_private;
create index agent_templates_private on agent_templates (creator, title collate "und-x-icu", id) where is_private;

-- Addresses that a private template is shared with.
create table agent_template_shares (
  template_id uuid not null references agent_templates (id) on delete cascade,
  email text not null,
  position integer not null,
  primary key (template_id, email)
);
create index agent_template_shares_email on agent_template_shares (email);

-- Favorites, which a trigger counts in their template.
create table agent_template_favorites (
  template_id uuid not null references agent_templates (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (template_id, account_id)
);
create index agent_template_favorites_account on agent_template_favorites (account_id);

-- Counts favorites, also those deleted with their account.
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

-- The number of public templates: counting them takes a scan.
create table public_template_count (
  only_row boolean primary key default true check (only_row),
  count bigint not null
);
insert into public_template_count (count) values (0);

create function count_public_templates() returns trigger language plpgsql as $$
declare
  change bigint := 0;
begin
  if tg_op <> 'INSERT' then
    change := change - (select count(*) from old_rows where not is_private);
  end if;
  if tg_op <> 'DELETE' then
    change := change + (select count(*) from new_rows where not is_private);
  end if;
  if change <> 0 then
    update public_template_count set count = count + change;
  end if;
  return null;
end
$$;
create trigger count_inserted_templates after insert on agent_templates
  referencing new table as new_rows for each statement execute function count_public_templates();
create trigger count_updated_templates after update on agent_templates
  referencing old table as old_rows new table as new_rows for each statement execute function count_public_templates();
create trigger count_deleted_templates after delete on agent_templates
  referencing old table as old_rows for each statement execute function count_public_templates();

-- Projects of persons.
create table projects (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz not null default now()
);

-- Only collaborators have access to a project. project_created_at repeats the time of the project, for the order of
-- lists.
create table project_collaborators (
  project_id uuid not null references projects (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  project_created_at timestamptz,
  primary key (project_id, account_id)
);
create index project_collaborators_account on project_collaborators (account_id, project_created_at desc, project_id desc);
create index project_collaborators_project on project_collaborators (project_id, created_at, account_id);

-- To-dos of a project.
create table project_tasks (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references projects (id) on delete cascade,
  title text not null,
  description text,
  due_date date,
  assignee_account_id uuid references accounts (id) on delete set null,
  completed_by uuid references accounts (id) on delete set null,
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index project_tasks_project on project_tasks (project_id, created_at, id);
create index project_tasks_assignee on project_tasks (assignee_account_id) where assignee_account_id is not null;
create index project_tasks_completed_by on project_tasks (completed_by) where completed_by is not null;
create trigger project_tasks_touch before update on project_tasks for each row execute function touch_updated_at();

-- Never changed, and deleted only with their task.
create table project_task_comments (
  id uuid primary key default gen_random_uuid(),
  task_id uuid not null references project_tasks (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete restrict,
  body text not null check (length(body) between 1 and 4000),
  created_at timestamptz not null default now()
);
create index project_task_comments_task on project_task_comments (task_id, created_at, id);
create index project_task_comments_account on project_task_comments (account_id);
