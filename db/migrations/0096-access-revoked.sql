-- Tells API processes whose access may have ended, when the change commits: they recheck the responses that are open.
create function notify_access_revoked() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_revoked', old.account_id::text);
  return null;
end $$;

create trigger account_api_keys_revoked after delete on account_api_keys
  for each row execute function notify_access_revoked();
create trigger memberships_revoked after delete or update of state, organization_id, account_id on account_organization_ids
  for each row execute function notify_access_revoked();
