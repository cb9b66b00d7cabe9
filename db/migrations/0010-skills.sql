-- The skills that the sandbox had when the turn began: read once, and the same for every step of the turn.
alter table run_inputs add column skills json;
