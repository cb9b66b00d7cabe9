-- Read-only links to a chat as it was. The token is in the address alone: here is what it is recognised by.
create table chat_shares (
  id uuid primary key default gen_random_uuid(),
  token_hash text not null unique,
  chat_id uuid not null references chats (id) on delete cascade,
  branch_id text references chat_branches (id) on delete cascade,
  last_position bigint not null,
  last_message_id text not null,
  -- Parts that the last message had: an answer that goes on later is not shown further.
  last_parts integer not null,
  tool_outputs boolean not null default false,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index chat_shares_chat on chat_shares (chat_id, created_at, id);
create index chat_shares_branch on chat_shares (branch_id) where branch_id is not null;
