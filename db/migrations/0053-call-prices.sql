-- What the tokens of a model call were priced by, in USD per token: {"input","output","cachedInput","cacheWrite"}. Null
-- where no price was known; a call whose vendor reported its cost is charged that.
alter table run_steps add column prices json;
alter table run_sub_agent_steps add column prices json;
