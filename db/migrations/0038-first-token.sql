-- Time from the start of the model call of a step to its first output. Null: unknown, as for steps before this column.
alter table run_steps add column first_output_ms integer;
