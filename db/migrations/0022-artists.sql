-- What a workspace, which is a person or an organization, writes about an artist. Null says nothing.
create table artist_workspace_texts (
  workspace_id uuid not null references accounts (id) on delete cascade,
  artist_id uuid not null references accounts (id) on delete cascade,
  name text,
  image text,
  instruction text,
  label text,
  knowledges jsonb,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, artist_id)
);
create index artist_workspace_texts_artist on artist_workspace_texts (artist_id, workspace_id);
create trigger artist_workspace_texts_touch before update on artist_workspace_texts
  for each row execute function touch_updated_at();

-- Whether anything still names an artist.
create index account_artist_ids_artist on account_artist_ids (artist_id);
create index artist_organization_ids_organization on artist_organization_ids (organization_id);
create index sessions_artist on sessions (artist_id) where artist_id is not null;
