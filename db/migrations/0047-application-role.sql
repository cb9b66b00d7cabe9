-- What the application's role may not do by itself, and does through functions of the owner: partitions of the stream log.
create function make_stream_partition(day date) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format(
    'create table public.%I partition of public.stream_chunk for values from (%L) to (%L)',
    'stream_chunk_' || to_char(day, 'YYYYMMDD'), to_char(day, 'YYYY-MM-DD'), to_char(day + 1, 'YYYY-MM-DD')
  );
end $$;

create function drop_stream_partition(day date) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format('drop table public.%I', 'stream_chunk_' || to_char(day, 'YYYYMMDD'));
end $$;

revoke execute on function make_stream_partition, drop_stream_partition from public;

create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();
create trigger credit_ledger_no_truncate before truncate on credit_ledger
  for each statement execute function refuse_change();
