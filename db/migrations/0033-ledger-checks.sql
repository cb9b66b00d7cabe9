-- A check of a table is read from the catalog and planned anew by every statement that writes a row: those of the ledger
-- took longer than the rows. The same rules as domains are planned once for a connection.
create domain ledger_kind as text check (value in ('seed', 'refill', 'topup', 'grant', 'charge', 'refund'));
create domain ledger_amount as bigint check (value <> 0);
create domain held_amount as bigint check (value > 0);
create domain usage_source as text check (value in ('web', 'api'));
alter table credit_ledger
  drop constraint credit_ledger_kind_check, drop constraint credit_ledger_amount_check,
  alter column kind type ledger_kind, alter column amount type ledger_amount;
alter table credit_holds drop constraint credit_holds_amount_check, alter column amount type held_amount;
alter table usage_events drop constraint usage_events_source_check, alter column source type usage_source;

-- The one rule over several columns is looked at when one of them is written, which a change of the balance does not.
create function refuse_auto_topup() returns trigger language plpgsql as $$
begin
  raise exception 'automatic top-up without its amounts' using errcode = 'check_violation';
end $$;
alter table credit_balances drop constraint credit_balances_auto_topup_check;
create trigger credit_balances_auto_topup_amounts
  after insert or update of auto_topup_enabled, auto_topup_cents, auto_topup_threshold_cents on credit_balances
  for each row
  when (new.auto_topup_enabled and (new.auto_topup_cents is null or new.auto_topup_threshold_cents is null))
  execute function refuse_auto_topup();
