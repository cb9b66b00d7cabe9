-- Which machine of a fleet has the files of a sandbox. The row exists before the files do, and until they are removed, so that
-- files without a row, or of an older epoch, are leftovers. The epoch rises with each loss of a machine.
create table sandbox_places (
  sandbox_name text primary key,
  machine_id uuid not null,
  epoch integer not null default 1,
  -- When the newest loss was recorded.
  lost_at timestamptz
);

-- Where the workers of a machine serve its sandboxes to other machines. Null: they do not.
alter table machines add column sandbox_address text;

-- Since when the machine has reported without a gap. After an outage of Postgres no machine has, and none counts as lost.
alter table machines add column reports_since timestamptz not null default now();

-- The newest epoch of the session's sandbox whose loss of files the chat has been notified of.
alter table chats add column sandbox_epoch integer;
