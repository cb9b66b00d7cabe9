-- restarts: how often the workflow of the run was begun anew from what is stored here.
alter table runs add column restarts integer not null default 0;

-- failures: how often failed_step failed by itself. A worker that was lost or is leaving is no failure of the step.
alter table stream_head
  add column failed_step integer,
  add column failures integer not null default 0;
