-- Projects of people: whoever has a row as a collaborator has access, and nobody else.
create table projects (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz not null default now()
);

create table project_collaborators (
  project_id uuid not null references projects (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (project_id, account_id)
);
create index project_collaborators_account on project_collaborators (account_id);

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

-- Never changed, and deleted with its task only.
create table project_task_comments (
  id uuid primary key default gen_random_uuid(),
  task_id uuid not null references project_tasks (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete restrict,
  body text not null check (length(body) between 1 and 4000),
  created_at timestamptz not null default now()
);
create index project_task_comments_task on project_task_comments (task_id, created_at, id);
create index project_task_comments_account on project_task_comments (account_id);
