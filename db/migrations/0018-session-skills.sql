-- The skills of a session's sandbox when somebody last looked. A turn looks again only when a tool that can change files
-- has ended since, or one runs now.
create table session_skills (
  session_id uuid primary key references sessions (id) on delete cascade,
  skills json not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null default '-infinity'
);

create function note_changed_files(run text) returns void language sql as $$
  insert into session_skills (session_id, skills, seen_at, changed_at)
  select sessions.id, '[]', '-infinity', clock_timestamp()
  from runs join sessions on sessions.id = runs.session_id where runs.id = run
  -- A session that is being deleted is none.
  for key share of sessions
  on conflict (session_id) do update set changed_at = excluded.changed_at
$$;

create function note_ended_tool() returns trigger language plpgsql as $$
begin
  perform note_changed_files(new.run_id);
  return null;
end $$;
create trigger run_tool_calls_changed_files after update of ended_at on run_tool_calls
  for each row
  when (old.ended_at is null and new.ended_at is not null and new.tool_name in ('bash', 'write', 'task'))
  execute function note_ended_tool();

-- A run that ends in the middle of a tool says nothing of how far that came.
create function note_interrupted_tools() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from run_tool_calls where run_id = new.id and started_at is not null and ended_at is null
  ) then
    perform note_changed_files(new.id);
  end if;
  return null;
end $$;
create trigger runs_changed_files after update of ended_at on runs
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function note_interrupted_tools();
