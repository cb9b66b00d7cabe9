-- Runs of the scraper that an account has are counted before each start.
create index capture_chunks_open on capture_chunks (snapshot_id) where outcome = 'open';
