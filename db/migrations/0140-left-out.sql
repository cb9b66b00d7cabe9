-- Paths that a commit does not have: {count, paths: [{path, reason}]}. Null: it has all.
alter table turn_commits add column left_out jsonb;
