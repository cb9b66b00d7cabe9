-- Other versions of answers and messages. A chat begins on its trunk, which has no row. A branch shares with its parent
-- what stands at `fork_position` or before, and goes on by itself.
create table chat_branches (
  id text primary key,
  chat_id uuid not null references chats (id) on delete cascade,
  parent_id text references chat_branches (id) on delete cascade,
  fork_position bigint not null,
  kind text not null check (kind in ('regenerate', 'edit')),
  -- The message that it is another version of.
  version_of text not null,
  run_id text not null unique,
  -- What its turn did to the files; null when it was not asked for that. `restore_commit` is where they are to go, unless
  -- it was made after `restore_before`.
  restore_state text check (restore_state in ('restoring', 'restored', 'kept')),
  restore_commit text,
  restore_before timestamptz,
  created_at timestamptz not null default now()
);
create index chat_branches_chat on chat_branches (chat_id, created_at, id);
create index chat_branches_parent on chat_branches (parent_id) where parent_id is not null;

-- The selected branch of a chat, and the branch of a message; null is the trunk.
alter table chats add column branch_id text;
alter table chat_messages add column branch_id text;
-- The id that a client knows the message by, where the chat had one with that id already.
alter table chat_messages add column sent_id text;

-- Whoever adds a message adds it to the selected branch, also a process of the last build that knows of none.
create function place_message() returns trigger language plpgsql as $$
begin
  new.branch_id := coalesce(new.branch_id, (select branch_id from chats where id = new.chat_id));
  return new;
end
$$;
create trigger chat_messages_place before insert on chat_messages for each row execute function place_message();

-- What the turns of a branch were charged.
create index usage_events_run on usage_events (run_id) where run_id is not null;
