-- The background run that a chat run was started for, which ends with it. The key makes a second chat run impossible.
alter table runs add column background_run_id text references background_runs (id) on delete set null;
create unique index runs_background on runs (background_run_id) where background_run_id is not null;
