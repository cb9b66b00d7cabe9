-- How the last call of each model ended, as far as it was noted.
create table model_outcomes (
  model_id text primary key,
  outcome text not null check (outcome in ('answered', 'refused', 'failed')),
  called_at timestamptz not null default now()
);
