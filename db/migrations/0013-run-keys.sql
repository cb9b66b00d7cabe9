-- run_id: the run that the key was made for; the key goes with it.
alter table account_api_keys add column run_id text references runs (id) on delete cascade;
create unique index account_api_keys_run on account_api_keys (run_id) where run_id is not null;
