-- Whether whoever owns a run may end it early: said by the job itself, so that no list of jobs has to know them all.
alter table background_runs add column cancellable boolean not null default false;
update background_runs set cancellable = true
where finished_at is null and task_identifier in ('setup-sandbox', 'scheduled-task');
