-- The artists that a workspace made, by name.
create index accounts_made_by on accounts (created_by, lower(name)) where created_by is not null;
