-- What failed and what was spent in the last days, over all accounts: GET /api/operator/activity.
create index runs_failed on runs (ended_at) where status = 'failed';
create index background_runs_failed on background_runs (finished_at)
  where status in ('FAILED', 'CRASHED', 'SYSTEM_FAILURE');
create index usage_events_created on usage_events using brin (created_at);
