-- first_attempt: the attempt that was the first to be about to have the call's effects. No other one may have them.
alter table run_tool_calls add column first_attempt integer;
