-- Bytes of what waits as text, which is what a process that reads it holds: the store keeps it compressed.
alter table chat_queue
  add column bytes integer not null
    generated always as (coalesce(octet_length(message::text), 0) + coalesce(octet_length(history::text), 0)) stored;
