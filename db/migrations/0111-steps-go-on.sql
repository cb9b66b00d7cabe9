-- Whether a turn goes on behind a step: an answer that reached the output limit goes on where it made calls. Null in rows
-- of earlier builds, where the finish reason says it.
alter table run_steps add column goes_on boolean;
alter table run_sub_agent_steps add column goes_on boolean;
