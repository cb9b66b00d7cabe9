-- Since when a batch has waited for a free slot of the scraper; null while it does not wait.
alter table scraper_batches add column waiting_since timestamptz;
create index scraper_batches_waiting on scraper_batches (waiting_since) where waiting_since is not null;
