-- What the migrations add up to. Written by `npm run schema`; never edited, never run.

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION public.touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.updated_at := now();
  return new;
end $function$;

create table account_api_keys (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  name text not null,
  key_hash text not null,
  expires_at timestamp with time zone,
  last_used timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  run_id text,
  constraint account_api_keys_pkey PRIMARY KEY (id),
  constraint account_api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_api_keys_key_hash_key UNIQUE (key_hash),
  constraint account_api_keys_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE
);

create table account_artist_ids (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  artist_id uuid not null,
  pinned boolean default false not null,
  created_at timestamp with time zone default now() not null,
  constraint account_artist_ids_pkey PRIMARY KEY (id),
  constraint account_artist_ids_account_id_artist_id_key UNIQUE (account_id, artist_id),
  constraint account_artist_ids_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_artist_ids_artist_id_fkey FOREIGN KEY (artist_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table account_emails (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  email text not null,
  created_at timestamp with time zone default now() not null,
  constraint account_emails_pkey PRIMARY KEY (id),
  constraint account_emails_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_emails_email_key UNIQUE (email)
);

create table account_info (
  account_id uuid not null,
  image text,
  instruction text,
  organization text,
  job_title text,
  role_type text,
  company_name text,
  knowledges jsonb default '[]'::jsonb not null,
  updated_at timestamp with time zone default now() not null,
  constraint account_info_pkey PRIMARY KEY (account_id),
  constraint account_info_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table account_organization_ids (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  organization_id uuid not null,
  state text not null,
  invited_by uuid,
  invited_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint account_organization_ids_pkey PRIMARY KEY (id),
  constraint account_organization_ids_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_organization_ids_account_id_organization_id_key UNIQUE (account_id, organization_id),
  constraint account_organization_ids_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_organization_ids_state_check CHECK ((state = ANY (ARRAY['invited'::text, 'member'::text])))
);

create table account_sandboxes (
  id text not null,
  account_id uuid not null,
  state jsonb not null,
  status text default 'pending'::text not null,
  timeout_ms integer not null,
  created_at timestamp with time zone default now() not null,
  constraint account_sandboxes_pkey PRIMARY KEY (id),
  constraint account_sandboxes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_sandboxes_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'stopping'::text, 'stopped'::text, 'failed'::text, 'aborted'::text, 'snapshotting'::text])))
);

create table account_snapshots (
  account_id uuid not null,
  snapshot_id text,
  taken_by text,
  expires_at timestamp with time zone,
  github_repo text,
  created_at timestamp with time zone default now() not null,
  constraint account_snapshots_pkey PRIMARY KEY (account_id),
  constraint account_snapshots_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table accounts (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  name text,
  created_by uuid,
  first_authenticated_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'organization'::text, 'artist'::text])))
);

create table artist_organization_ids (
  id uuid default gen_random_uuid() not null,
  artist_id uuid not null,
  organization_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint artist_organization_ids_pkey PRIMARY KEY (id),
  constraint artist_organization_ids_artist_id_fkey FOREIGN KEY (artist_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint artist_organization_ids_artist_id_organization_id_key UNIQUE (artist_id, organization_id),
  constraint artist_organization_ids_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table audit_log (
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  caller uuid,
  effective_account uuid,
  key_id uuid,
  action text not null,
  object text,
  request_id text,
  result integer not null,
  constraint audit_log_pkey PRIMARY KEY (id)
);

create table background_runs (
  id text not null,
  account_id uuid not null,
  task_identifier text not null,
  status text default 'QUEUED'::text not null,
  title text,
  tags jsonb default '[]'::jsonb not null,
  payload json,
  output json,
  error json,
  metadata jsonb,
  attempts jsonb default '[]'::jsonb not null,
  schedule json,
  related_runs json,
  idempotency_key text,
  concurrency_key text,
  credits bigint default 0 not null,
  version text not null,
  delayed_until timestamp with time zone,
  expired_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  engine_started_at timestamp with time zone,
  cancel_requested_at timestamp with time zone,
  cancel_delivered_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint background_runs_pkey PRIMARY KEY (id),
  constraint background_runs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint background_runs_check CHECK (((finished_at IS NOT NULL) = (status = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text, 'CRASHED'::text, 'SYSTEM_FAILURE'::text])))),
  constraint background_runs_check1 CHECK (((output IS NULL) OR (status = 'COMPLETED'::text))),
  constraint background_runs_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'DELAYED'::text, 'EXECUTING'::text, 'REATTEMPTING'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text, 'CRASHED'::text, 'SYSTEM_FAILURE'::text])))
);

create table base_snapshots (
  snapshot_id text not null,
  sandbox_type text not null,
  clone_url text not null,
  commit text not null,
  size_bytes bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint base_snapshots_pkey PRIMARY KEY (snapshot_id)
);

create table chat_message_parts (
  chat_id uuid not null,
  message_id text not null,
  "position" integer not null,
  tool_call_id text,
  part json not null,
  constraint chat_message_parts_pkey PRIMARY KEY (chat_id, message_id, "position"),
  constraint chat_message_parts_chat_id_message_id_fkey FOREIGN KEY (chat_id, message_id) REFERENCES chat_messages(chat_id, id) ON DELETE CASCADE
);

create table chat_messages (
  chat_id uuid not null,
  id text not null,
  "position" bigint generated always as identity not null,
  role text not null,
  metadata json,
  created_at timestamp with time zone default now() not null,
  constraint chat_messages_pkey PRIMARY KEY (chat_id, id),
  constraint chat_messages_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES chats(id) ON DELETE CASCADE,
  constraint chat_messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text])))
);

create table chat_reads (
  account_id uuid not null,
  chat_id uuid not null,
  last_read_at timestamp with time zone not null,
  constraint chat_reads_pkey PRIMARY KEY (account_id, chat_id),
  constraint chat_reads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint chat_reads_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES chats(id) ON DELETE CASCADE
);

create table chats (
  id uuid default gen_random_uuid() not null,
  session_id uuid not null,
  title text not null,
  model_id text,
  active_stream_id text,
  last_assistant_message_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint chats_pkey PRIMARY KEY (id),
  constraint chats_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);

create table credit_balances (
  account_id uuid not null,
  remaining_credits bigint default 0 not null,
  refilled_at timestamp with time zone,
  refill_allotment bigint,
  updated_at timestamp with time zone default now() not null,
  constraint credit_balances_pkey PRIMARY KEY (account_id),
  constraint credit_balances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table credit_ledger (
  id bigint generated always as identity not null,
  account_id uuid not null,
  reference text not null,
  kind text not null,
  amount bigint not null,
  balance_after bigint not null,
  actor uuid,
  reason text,
  created_at timestamp with time zone default now() not null,
  constraint credit_ledger_pkey PRIMARY KEY (id),
  constraint credit_ledger_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE RESTRICT,
  constraint credit_ledger_amount_check CHECK ((amount <> 0)),
  constraint credit_ledger_kind_check CHECK ((kind = ANY (ARRAY['seed'::text, 'refill'::text, 'topup'::text, 'grant'::text, 'charge'::text, 'refund'::text]))),
  constraint credit_ledger_reference_key UNIQUE (reference)
);

create table idempotency_keys (
  account_id uuid not null,
  route text not null,
  key text not null,
  request_hash text not null,
  state text not null,
  holder bigint not null,
  status integer,
  body json,
  headers jsonb,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, route, key),
  constraint idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint idempotency_keys_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'done'::text])))
);

create table run_inputs (
  run_id text not null,
  messages json not null,
  skills json,
  constraint run_inputs_pkey PRIMARY KEY (run_id),
  constraint run_inputs_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE
);

create table run_steps (
  run_id text not null,
  step integer not null,
  attempt integer not null,
  finish_reason text not null,
  raw_finish_reason text,
  model_id text not null,
  usage json,
  cost_usd numeric,
  created_at timestamp with time zone default now() not null,
  constraint run_steps_pkey PRIMARY KEY (run_id, step),
  constraint run_steps_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE
);

create table run_sub_agent_calls (
  run_id text not null,
  call_id text not null,
  tool_call_id text not null,
  step integer not null,
  tool_name text not null,
  input json not null,
  output json,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  holder bigint,
  activity_id text,
  attempt integer,
  first_attempt integer,
  constraint run_sub_agent_calls_pkey PRIMARY KEY (run_id, call_id),
  constraint run_sub_agent_calls_run_id_tool_call_id_step_fkey FOREIGN KEY (run_id, tool_call_id, step) REFERENCES run_sub_agent_steps(run_id, tool_call_id, step) ON DELETE CASCADE
);

create table run_sub_agent_steps (
  run_id text not null,
  tool_call_id text not null,
  step integer not null,
  attempt integer not null,
  failures integer default 0 not null,
  holder bigint,
  activity_id text,
  input_tokens integer not null,
  output_characters integer default 0 not null,
  finish_reason text,
  parts json,
  usage json,
  cost_usd numeric,
  constraint run_sub_agent_steps_pkey PRIMARY KEY (run_id, tool_call_id, step),
  constraint run_sub_agent_steps_run_id_tool_call_id_fkey FOREIGN KEY (run_id, tool_call_id) REFERENCES run_sub_agents(run_id, tool_call_id) ON DELETE CASCADE
);

create table run_sub_agents (
  run_id text not null,
  tool_call_id text not null,
  model_id text not null,
  input_price numeric,
  output_price numeric,
  started_at timestamp with time zone default now() not null,
  constraint run_sub_agents_pkey PRIMARY KEY (run_id, tool_call_id),
  constraint run_sub_agents_run_id_tool_call_id_fkey FOREIGN KEY (run_id, tool_call_id) REFERENCES run_tool_calls(run_id, tool_call_id) ON DELETE CASCADE
);

create table run_tool_calls (
  run_id text not null,
  tool_call_id text not null,
  step integer not null,
  tool_name text not null,
  input json not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  holder bigint,
  activity_id text,
  attempt integer,
  first_attempt integer,
  constraint run_tool_calls_pkey PRIMARY KEY (run_id, tool_call_id),
  constraint run_tool_calls_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE
);

create table runs (
  id text not null,
  account_id uuid not null,
  session_id uuid not null,
  chat_id uuid not null,
  assistant_message_id text not null,
  status text default 'queued'::text not null,
  headless boolean default false not null,
  source text not null,
  model_id text not null,
  context_limit integer,
  input_price numeric,
  output_price numeric,
  end_reason text,
  error text,
  stop_requested_at timestamp with time zone,
  stop_delivered_at timestamp with time zone,
  engine_started_at timestamp with time zone,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  restarts integer default 0 not null,
  constraint runs_pkey PRIMARY KEY (id),
  constraint runs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint runs_source_check CHECK ((source = ANY (ARRAY['web'::text, 'api'::text]))),
  constraint runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);

create table sandbox_removals (
  sandbox_name text not null,
  state jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint sandbox_removals_pkey PRIMARY KEY (sandbox_name)
);

create table session_skills (
  session_id uuid not null,
  skills json not null,
  seen_at timestamp with time zone not null,
  constraint session_skills_pkey PRIMARY KEY (session_id),
  constraint session_skills_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);

create table sessions (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  organization_id uuid,
  artist_id uuid,
  title text not null,
  status text default 'running'::text not null,
  repo_owner text,
  repo_name text,
  branch text,
  clone_url text,
  is_new_branch boolean default false not null,
  global_skill_refs jsonb default '[]'::jsonb not null,
  sandbox_state jsonb,
  lifecycle_state text,
  lifecycle_version integer default 0 not null,
  lifecycle_run_id text,
  lifecycle_error text,
  last_activity_at timestamp with time zone,
  sandbox_started_at timestamp with time zone,
  sandbox_expires_at timestamp with time zone,
  hibernate_after timestamp with time zone,
  lines_added integer default 0,
  lines_removed integer default 0,
  snapshot_url text,
  snapshot_created_at timestamp with time zone,
  snapshot_size_bytes bigint,
  cached_diff jsonb,
  cached_diff_updated_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  diff_commit text,
  diff_run_id text,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint sessions_lifecycle_state_check CHECK ((lifecycle_state = ANY (ARRAY['provisioning'::text, 'active'::text, 'hibernating'::text, 'hibernated'::text, 'restoring'::text, 'archived'::text, 'failed'::text]))),
  constraint sessions_status_check CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text, 'archived'::text])))
);

create table stream_chunk (
  run_id text not null,
  seq integer not null,
  day date not null,
  body text not null,
  constraint stream_chunk_pkey PRIMARY KEY (run_id, seq, day)
) partition by RANGE (day);

create table stream_head (
  run_id text not null,
  day date not null,
  next_seq integer default 0 not null,
  folded_seq integer default 0 not null,
  fence bigint default 0 not null,
  state text default 'open'::text not null,
  open_step integer,
  step_seq integer default 0 not null,
  step_position integer default 0 not null,
  step_input_tokens integer default 0 not null,
  holder bigint,
  activity_id text,
  abandoned_reason text,
  failed_step integer,
  failures integer default 0 not null,
  constraint stream_head_pkey PRIMARY KEY (run_id),
  constraint stream_head_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint stream_head_state_check CHECK ((state = ANY (ARRAY['open'::text, 'stopping'::text, 'done'::text])))
) with (fillfactor=70);

create table turn_commits (
  run_id text not null,
  session_id uuid not null,
  state text not null,
  changed boolean default false not null,
  is_plain boolean default false not null,
  head text,
  branch text,
  staged_diff text,
  message text,
  commit_sha text,
  committed boolean default false not null,
  pushed boolean default false not null,
  base_commit text,
  source_base text,
  error text,
  settled_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint turn_commits_pkey PRIMARY KEY (run_id),
  constraint turn_commits_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint turn_commits_state_check CHECK ((state = ANY (ARRAY['clean'::text, 'pending'::text, 'done'::text])))
);

create table usage_events (
  reference text not null,
  account_id uuid not null,
  run_id text,
  source text not null,
  agent_type text,
  provider text,
  model_id text,
  input_tokens integer default 0 not null,
  cached_input_tokens integer default 0 not null,
  output_tokens integer default 0 not null,
  tool_call_count integer default 0 not null,
  credits bigint not null,
  resource_url text,
  created_at timestamp with time zone default now() not null,
  constraint usage_events_pkey PRIMARY KEY (reference),
  constraint usage_events_reference_fkey FOREIGN KEY (reference) REFERENCES credit_ledger(reference),
  constraint usage_events_source_check CHECK ((source = ANY (ARRAY['web'::text, 'api'::text])))
);

create table workspace_repositories (
  owner_id uuid not null,
  repo_owner text not null,
  repo_name text not null,
  clone_url text not null,
  created_at timestamp with time zone default now() not null,
  constraint workspace_repositories_pkey PRIMARY KEY (owner_id),
  constraint workspace_repositories_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table stream_chunk_default partition of stream_chunk DEFAULT;
CREATE INDEX account_api_keys_account ON account_api_keys USING btree (account_id, created_at DESC);
CREATE UNIQUE INDEX account_api_keys_run ON account_api_keys USING btree (run_id) WHERE (run_id IS NOT NULL);
CREATE INDEX account_emails_account ON account_emails USING btree (account_id);
CREATE INDEX account_organization_ids_organization ON account_organization_ids USING btree (organization_id);
CREATE INDEX account_sandboxes_account ON account_sandboxes USING btree (account_id, created_at DESC, id);
CREATE INDEX accounts_kind ON accounts USING btree (kind);
CREATE INDEX background_runs_account ON background_runs USING btree (account_id, created_at DESC, id);
CREATE INDEX background_runs_live ON background_runs USING btree (created_at) WHERE (finished_at IS NULL);
CREATE INDEX background_runs_tags ON background_runs USING gin (tags jsonb_path_ops);
CREATE INDEX background_runs_unstarted ON background_runs USING btree (created_at) WHERE ((engine_started_at IS NULL) AND (finished_at IS NULL));
CREATE UNIQUE INDEX background_runs_concurrency ON background_runs USING btree (concurrency_key) WHERE ((concurrency_key IS NOT NULL) AND (finished_at IS NULL));
CREATE UNIQUE INDEX background_runs_idempotency ON background_runs USING btree (task_identifier, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX base_snapshots_clone_url_sandbox_type_created_at_idx ON base_snapshots USING btree (clone_url, sandbox_type, created_at DESC);
CREATE INDEX chat_message_parts_tool_call ON chat_message_parts USING btree (chat_id, message_id, tool_call_id) WHERE (tool_call_id IS NOT NULL);
CREATE UNIQUE INDEX chat_messages_position ON chat_messages USING btree (chat_id, "position");
CREATE INDEX chats_session ON chats USING btree (session_id, created_at, id);
CREATE INDEX chats_streaming ON chats USING btree (active_stream_id) WHERE (active_stream_id IS NOT NULL);
CREATE INDEX credit_ledger_account ON credit_ledger USING btree (account_id, id);
CREATE INDEX idempotency_keys_created ON idempotency_keys USING btree (created_at);
CREATE INDEX run_sub_agent_calls_held ON run_sub_agent_calls USING btree (holder) WHERE (holder IS NOT NULL);
CREATE INDEX run_sub_agent_calls_step ON run_sub_agent_calls USING btree (run_id, tool_call_id, step);
CREATE INDEX run_sub_agent_steps_held ON run_sub_agent_steps USING btree (holder) WHERE (holder IS NOT NULL);
CREATE INDEX run_tool_calls_held ON run_tool_calls USING btree (holder) WHERE (holder IS NOT NULL);
CREATE INDEX run_tool_calls_step ON run_tool_calls USING btree (run_id, step);
CREATE INDEX runs_live ON runs USING btree (created_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX runs_of_session ON runs USING btree (session_id, created_at);
CREATE INDEX runs_session ON runs USING btree (session_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX runs_stopping ON runs USING btree (stop_requested_at) WHERE ((stop_requested_at IS NOT NULL) AND (stop_delivered_at IS NULL) AND (status = ANY (ARRAY['queued'::text, 'running'::text])));
CREATE INDEX runs_unstarted ON runs USING btree (created_at) WHERE ((status = 'queued'::text) AND (engine_started_at IS NULL));
CREATE UNIQUE INDEX runs_live_chat ON runs USING btree (chat_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX sessions_account ON sessions USING btree (account_id, created_at DESC, id);
CREATE INDEX sessions_archived ON sessions USING btree (account_id, created_at DESC, id) WHERE (status = 'archived'::text);
CREATE INDEX sessions_restoring ON sessions USING btree (updated_at) WHERE (lifecycle_state = 'restoring'::text);
CREATE INDEX sessions_stopping ON sessions USING btree (id) WHERE ((lifecycle_state = 'archived'::text) AND (sandbox_state ? 'expiresAt'::text));
CREATE INDEX sessions_title ON sessions USING btree (account_id, title text_pattern_ops);
CREATE INDEX sessions_watched ON sessions USING btree (sandbox_expires_at) WHERE (lifecycle_state = ANY (ARRAY['active'::text, 'hibernating'::text]));
CREATE INDEX stream_head_held ON stream_head USING btree (holder) WHERE (holder IS NOT NULL);
CREATE INDEX turn_commits_session ON turn_commits USING btree (session_id, created_at DESC);
CREATE INDEX usage_events_account ON usage_events USING btree (account_id, created_at);
CREATE INDEX usage_events_cost ON usage_events USING btree (account_id, credits DESC);
CREATE INDEX workspace_repositories_name ON workspace_repositories USING btree (repo_owner, repo_name);
CREATE TRIGGER accounts_touch BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER background_runs_touch BEFORE UPDATE ON background_runs FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER credit_ledger_append_only BEFORE DELETE OR UPDATE ON credit_ledger FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sessions_touch BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
