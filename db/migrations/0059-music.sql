-- A track that is rendered. asked_at is set before the renderer is asked, so that whoever finds it without a request id
-- looks for the request before sending another one. logs: the renderer's last lines.
create table music_generations (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  run_id text not null unique,
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'failed')),
  model text not null,
  prompt text not null,
  lyrics text not null,
  parameters jsonb not null,
  duration_seconds numeric check (duration_seconds > 0),
  storage_key text unique,
  asked_at timestamptz,
  provider_request_id text,
  logs jsonb not null default '[]',
  error_message text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'completed') = (storage_key is not null)),
  check ((status = 'failed') = (error_message is not null))
);
create index music_generations_account on music_generations (account_id, created_at desc, id desc);
create index music_generations_live on music_generations (id) where status in ('pending', 'processing');
create index music_generations_request on music_generations (provider_request_id text_pattern_ops)
  where status = 'processing';
create trigger music_generations_touch before update on music_generations
  for each row execute function touch_updated_at();
