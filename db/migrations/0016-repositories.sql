-- Repositories: those of workspaces, and the content of the code host `store`.

-- Workspace repositories known to exist on the code host, by the account or organization that owns them.
create table workspace_repositories (
  owner_id uuid primary key references accounts (id) on delete cascade,
  repo_owner text not null,
  repo_name text not null,
  clone_url text not null,
  created_at timestamptz not null default now()
);
create index workspace_repositories_name on workspace_repositories (repo_owner, repo_name);

-- Repositories of the code host `store`: the refs are here, the packs are in the object store.
-- refs: full ref names with object ids. packs: the number of packs in use.
create table git_repositories (
  id uuid primary key,
  owner text not null,
  name text not null,
  refs jsonb not null,
  packs integer not null,
  created_at timestamptz not null default now(),
  unique (owner, name)
);
create index git_repositories_fragmented on git_repositories (packs) where packs >= 16;

-- A row exists before its object and until the object is deleted. It outlives its repository.
create table git_packs (
  id uuid primary key,
  repository_id uuid not null,
  sha256 text not null,
  pack_bytes bigint not null,
  index_bytes bigint not null,
  state text not null check (state in ('uploading', 'live', 'unreferenced', 'deleting')),
  state_at timestamptz not null default now()
);
create index git_packs_live on git_packs (repository_id) where state = 'live';
create index git_packs_garbage on git_packs (state_at) where state <> 'live';

-- A push that is under way may still upload its pack: only packs in use become garbage at once.
create function abandon_packs() returns trigger language plpgsql as $$
begin
  update git_packs set state = 'unreferenced', state_at = '-infinity'
  where repository_id = old.id and state = 'live';
  return null;
end $$;
create trigger git_repositories_abandon after delete on git_repositories
  for each row execute function abandon_packs();

-- A repository is deleted with the account that owns it.
create function delete_workspace_repository() returns trigger language plpgsql as $$
begin
  delete from git_repositories where owner = old.repo_owner and name = old.repo_name;
  return null;
end $$;
create trigger workspace_repositories_delete after delete on workspace_repositories
  for each row execute function delete_workspace_repository();

create function delete_source_repository() returns trigger language plpgsql as $$
begin
  delete from git_repositories r
  where r.name = regexp_replace(substring(old.github_repo from '[^/]+$'), '\.git$', '')
    and old.github_repo like '%/git/' || r.owner || '/' || r.name || '.git'
    and not exists (select 1 from workspace_repositories w where w.repo_owner = r.owner and w.repo_name = r.name);
  return null;
end $$;
create trigger account_snapshots_delete after delete on account_snapshots
  for each row when (old.github_repo is not null) execute function delete_source_repository();
