-- 'exchanging': the code was sent to the token endpoint, and the tokens are not stored yet.
alter table connector_grants drop constraint connector_grants_state_check;
alter table connector_grants add constraint connector_grants_state_check
  check (state in ('asked', 'exchanging', 'granted', 'lost'));
