-- Lists whose order no index gave sorted every row of their owner for each page.
alter table chats add column owner_account_id uuid;
update chats set owner_account_id = sessions.account_id from sessions where sessions.id = chats.session_id;
-- The account of a session never changes.
create function chats_take_owner() returns trigger language plpgsql as $$
begin
  select account_id into new.owner_account_id from sessions where id = new.session_id;
  return new;
end $$;
create trigger chats_owner before insert on chats for each row execute function chats_take_owner();
create index chats_of_account on chats (owner_account_id, updated_at desc, id);

alter table project_collaborators add column project_created_at timestamptz;
update project_collaborators set project_created_at = projects.created_at
from projects where projects.id = project_collaborators.project_id;
drop index project_collaborators_account;
create index project_collaborators_account on project_collaborators (account_id, project_created_at desc, project_id desc);
create index project_collaborators_project on project_collaborators (project_id, created_at, account_id);

drop index account_organization_ids_organization;
create index account_organization_ids_organization on account_organization_ids (organization_id, created_at, id);
create index account_organization_ids_account on account_organization_ids (account_id, state, created_at, id);

create index background_runs_kind on background_runs (account_id, task_identifier, created_at desc, id desc);
