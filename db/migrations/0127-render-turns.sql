-- Whose render it is: accounts take turns. Null: the service's own.
alter table embedded_renders add column account_id uuid;
create index embedded_renders_of_account on embedded_renders (account_id) where state = 'running';
