-- A headless run waits as a row until a worker has a place for it. place_holder: key of the advisory lock of the worker
-- process that let it in, which counts it against its places until the run ends.
alter table runs add column placed_at timestamptz, add column place_holder bigint;
create index runs_waiting on runs (account_id, created_at)
  where status = 'queued' and headless and placed_at is null and engine_started_at is null;
create index runs_placed on runs (place_holder, account_id)
  where status in ('queued', 'running') and place_holder is not null;
