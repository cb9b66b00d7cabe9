-- What the provider of a model refused of a chat, up to a message: it is sent without that from then on. A later message of
-- the same kind is tried again.
create table chat_refusals (
  chat_id uuid not null references chats (id) on delete cascade,
  model_id text not null,
  kind text not null,
  through_id text not null,
  created_at timestamptz not null default now(),
  primary key (chat_id, model_id, kind)
);

-- What a failed call was refused for, and the provider's own words, for the page of the run.
alter table stream_head add column abandoned_fault text, add column abandoned_detail text;
alter table run_attempts add column detail text;
