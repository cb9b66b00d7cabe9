-- What the sweeper looks for once a minute: few among all sessions.
create index sessions_watched on sessions (sandbox_expires_at) where lifecycle_state in ('active', 'hibernating');
create index sessions_restoring on sessions (updated_at) where lifecycle_state = 'restoring';
create index sessions_stopping on sessions (id) where lifecycle_state = 'archived' and sandbox_state ? 'expiresAt';
