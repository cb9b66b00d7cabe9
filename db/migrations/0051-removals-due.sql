-- A start that was under way may make a sandbox after its removal: each is looked for again when none can be left.
alter table sandbox_removals add column due_at timestamptz not null default now();
create index sandbox_removals_due on sandbox_removals (due_at);
