-- The audit by month, so that what is older than its retention goes at once, and no role has to be able to delete a row.
alter table audit_log rename to audit_log_before;
alter table audit_log_before rename constraint audit_log_pkey to audit_log_before_pkey;
create table audit_log (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  caller uuid,
  effective_account uuid,
  key_id uuid,
  action text not null,
  object text,
  request_id text,
  result integer not null,
  primary key (id, at)
) partition by range (at);
create table audit_log_default partition of audit_log default;

-- A month of the audit, given by any of its days. Rows that came before it stand in the default partition, where that
-- month then stays.
create function make_audit_partition(month date) returns void
language plpgsql security definer set search_path to pg_catalog, pg_temp as $$
declare
  first date := date_trunc('month', month)::date;
begin
  if to_regclass('public.audit_log_' || to_char(first, 'YYYYMM')) is null
    and not exists (select from public.audit_log_default where at >= first and at < first + interval '1 month') then
    execute format(
      'create table public.%I partition of public.audit_log for values from (%L) to (%L)',
      'audit_log_' || to_char(first, 'YYYYMM'), first::timestamp at time zone 'UTC',
      (first + interval '1 month') at time zone 'UTC'
    );
  end if;
end $$;

-- Drops the months of the audit that ended before the day. Whoever has the application's role may call it: it keeps 90
-- days whatever is asked.
create function drop_audit_partitions(before date) returns setof text
language plpgsql security definer set search_path to pg_catalog, pg_temp as $$
declare
  part text;
begin
  for part in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'public.audit_log'::regclass and relname ~ '^audit_log_[0-9]{6}$'
      and to_date(right(relname, 6), 'YYYYMM') + interval '1 month' <= least(before, current_date - 90)
    order by 1
  loop
    execute format('drop table public.%I', part);
    return next part;
  end loop;
end $$;

do $$
declare
  month date;
begin
  for month in select distinct date_trunc('month', at at time zone 'UTC')::date from audit_log_before loop
    perform make_audit_partition(month);
  end loop;
end $$;
insert into audit_log (at, caller, effective_account, key_id, action, object, request_id, result)
select at, caller, effective_account, key_id, action, object, request_id, result from audit_log_before order by id;
drop table audit_log_before;
create trigger audit_log_append_only before update or delete on audit_log
for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log
for each statement execute function refuse_change();

-- Events of payments are added and never changed by the application; what is old goes this way, and 90 days stay.
create function delete_old_payment_events(before timestamptz) returns bigint
language sql security definer set search_path to pg_catalog, pg_temp as $$
  with gone as (
    delete from public.payment_events where received_at < least(before, now() - interval '90 days') returning 1
  )
  select count(*) from gone
$$;
create index payment_events_received on payment_events (received_at);
create index email_send_log_created on email_send_log (created_at);
create index background_runs_finished on background_runs (finished_at) where finished_at is not null;
