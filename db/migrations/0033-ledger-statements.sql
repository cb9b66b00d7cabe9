-- The operations of the ledger with fewer statements each. A change of a balance is one update, which is at once the
-- lock, the look at the balance and the change; a reference that turns out to be known takes it back.

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

-- No hold of the account lives at or after it; null: there was none. With it a debit need not look at the holds, and
-- because it stands in the row, an update that waited for another sees it as that one left it.
alter table credit_balances add column held_until timestamptz;
update credit_balances set held_until = held.expires_at
from (select account_id, max(expires_at) as expires_at from credit_holds group by account_id) held
where held.account_id = credit_balances.account_id;

drop function cover_credits, lock_balance, book_credits, book_debit;

-- The refill of a balance: whether it is due, and what it would add. An account without an allotment has none:
-- organizations start at 0. rules: {"allotments": {"free", "starter", "pro"}, "enterpriseDomains": []}.
create function due_refill(
  account uuid, remaining bigint, refilled_at timestamptz, refill_allotment bigint, rules jsonb, moment timestamptz,
  out plan text, out allotment bigint, out missing bigint, out due boolean
) language plpgsql stable as $$
declare
  own record;
begin
  select a.kind, paid.period_start, case
    when paid.rank = 2 then 2
    when exists (
      select 1 from account_emails e
      where e.account_id = account and (rules -> 'enterpriseDomains') ? split_part(e.email, '@', -1)
    ) then 2
    else coalesce(paid.rank, 0)
  end as rank into own
  from accounts a cross join (
    select max(plan_rank(s.plan)) as rank, max(s.period_start) as period_start from subscriptions s
    where s.account_id = account and is_active(s.status, s.cancel_at)
  ) paid where a.id = account;
  plan := case own.rank when 2 then 'pro' when 1 then 'starter' else 'free' end;
  allotment := case when own.kind = 'person' or own.rank > 0 then (rules -> 'allotments' ->> plan)::bigint else 0 end;
  due := allotment > 0 and (
    refilled_at is null
    or (refilled_at at time zone 'UTC' + interval '1 month') at time zone 'UTC' < moment
    or coalesce(refilled_at < own.period_start, false)
    or allotment > coalesce(refill_allotment, (rules -> 'allotments' ->> 'free')::bigint)
  );
  missing := case when due then greatest(allotment - remaining, 0) else 0 end;
end $$;

-- Without a balance row nothing is due, and the plan is told all the same.
create or replace function refill_of(
  account uuid, rules jsonb, moment timestamptz,
  out plan text, out allotment bigint, out missing bigint, out due boolean
) language plpgsql stable as $$
declare
  balance record;
  refill record;
begin
  select remaining_credits, refilled_at, refill_allotment into balance
  from credit_balances where account_id = account;
  due := found;
  refill := due_refill(
    account, balance.remaining_credits, balance.refilled_at, balance.refill_allotment, rules, moment
  );
  plan := refill.plan;
  allotment := refill.allotment;
  due := due and refill.due;
  missing := case when due then refill.missing else 0 end;
end $$;

-- The balance, under the lock that orders all operations of an account.
create function lock_balance(
  account uuid,
  out remaining bigint, out refilled_at timestamptz, out refill_allotment bigint, out held_until timestamptz
) language plpgsql as $$
begin
  select b.remaining_credits, b.refilled_at, b.refill_allotment, b.held_until
  into remaining, refilled_at, refill_allotment, held_until
  from credit_balances b where b.account_id = account for no key update;
  if not found then
    insert into credit_balances (account_id) values (account) on conflict do nothing;
    select b.remaining_credits, b.refilled_at, b.refill_allotment, b.held_until
    into remaining, refilled_at, refill_allotment, held_until
    from credit_balances b where b.account_id = account for no key update;
  end if;
end $$;

-- Changes a balance under its lock, and answers the new one.
create function change_balance(account uuid, delta bigint, moment timestamptz) returns bigint language plpgsql as $$
declare
  changed bigint;
begin
  update credit_balances set remaining_credits = remaining_credits + delta, updated_at = moment
  where account_id = account returning remaining_credits into changed;
  if found then
    return changed;
  end if;
  insert into credit_balances as b (account_id, remaining_credits, updated_at) values (account, delta, moment)
  on conflict (account_id) do update
    set remaining_credits = b.remaining_credits + excluded.remaining_credits, updated_at = excluded.updated_at
  returning remaining_credits into changed;
  return changed;
end $$;

-- The row of a change that was made; false when its reference is known, and the caller takes the change back.
create function enter_credits(
  account uuid, delta bigint, changed bigint, ref text, entry text, actor uuid, reason text, moment timestamptz
) returns boolean language plpgsql as $$
begin
  insert into credit_ledger (account_id, reference, kind, amount, balance_after, actor, reason, created_at)
  values (account, ref, entry, delta, changed, actor, reason, moment)
  on conflict (reference) do nothing;
  return found;
end $$;

-- The row of a debit and its usage, in one statement. usage: the columns by name; what is absent is null or 0.
create function enter_debit(
  account uuid, credits bigint, changed bigint, ref text, usage jsonb, moment timestamptz
) returns boolean language plpgsql as $$
begin
  insert into credit_ledger (account_id, reference, kind, amount, balance_after, created_at)
  values (account, ref, 'charge', -credits, changed, moment)
  on conflict (reference) do nothing;
  if not found then
    return false;
  end if;
  insert into usage_events (reference, account_id, run_id, source, agent_type, provider, model_id, input_tokens,
    cached_input_tokens, output_tokens, tool_call_count, credits, resource_url, created_at)
  values (ref, account, usage ->> 'run_id', coalesce(usage ->> 'source', 'api'), usage ->> 'agent_type',
    usage ->> 'provider', usage ->> 'model_id', coalesce((usage ->> 'input_tokens')::int, 0),
    coalesce((usage ->> 'cached_input_tokens')::int, 0), coalesce((usage ->> 'output_tokens')::int, 0),
    coalesce((usage ->> 'tool_call_count')::int, 0), credits, usage ->> 'resource_url', moment);
  return true;
end $$;

create or replace function credit_account(
  account uuid, credits bigint, ref text, entry text, actor uuid, reason text, moment timestamptz default now()
) returns boolean language plpgsql as $$
begin
  if credits < 1 then
    perform refuse_amount(credits);
  end if;
  if enter_credits(
    account, credits, change_balance(account, credits, moment), ref, entry, actor, reason, moment
  ) then
    return true;
  end if;
  perform change_balance(account, -credits, moment);
  return false;
end $$;

create or replace function debit_account(
  account uuid, credits bigint, ref text, usage jsonb, moment timestamptz default now()
) returns boolean language plpgsql as $$
begin
  if credits < 1 then
    perform refuse_amount(credits);
  end if;
  if enter_debit(account, credits, change_balance(account, -credits, moment), ref, usage, moment) then
    return true;
  end if;
  perform change_balance(account, credits, moment);
  return false;
end $$;

-- The one place where a refill is booked: when it is due, and the credits are covered with it and not without it.
-- A gate that stays short has written nothing, and tells what there would be with the refill. The caller holds the lock,
-- and has found that the credits are not covered without.
create function cover_by_refill(
  account uuid, credits bigint, rules jsonb, moment timestamptz,
  remaining bigint, earlier timestamptz, refill_allotment bigint,
  inout available bigint, out covered boolean
) language plpgsql as $$
declare
  refill record;
begin
  refill := due_refill(account, remaining, earlier, refill_allotment, rules, moment);
  available := available + refill.missing;
  covered := available >= credits;
  if not covered then
    return;
  end if;
  update credit_balances b set remaining_credits = b.remaining_credits + refill.missing,
    refilled_at = date_trunc('milliseconds', moment), refill_allotment = refill.allotment, updated_at = moment
  where b.account_id = account;
  if not enter_credits(
    account, refill.missing, remaining + refill.missing,
    'refill:' || account || ':' || coalesce(floor(extract(epoch from earlier) * 1000), 0)::bigint,
    'refill', null, null, moment
  ) then
    raise exception 'a refill of account % was booked before', account;
  end if;
end $$;

-- Asks whether work may begin that is paid later, whatever it costs. Only what will write a refill takes the lock.
create or replace function pass_gate(
  account uuid, credits bigint, rules jsonb, moment timestamptz default now(),
  out outcome text, out available bigint
) language plpgsql as $$
declare
  seen record;
  refill record;
  balance record;
  cover record;
begin
  select b.remaining_credits, b.refilled_at, b.refill_allotment, b.remaining_credits
    - case when b.held_until > moment then (
        select coalesce(sum(h.amount), 0)::bigint from credit_holds h
        where h.account_id = account and h.expires_at > moment
      ) else 0 end as available
  into seen from credit_balances b where b.account_id = account;
  available := coalesce(seen.available, 0);
  if available >= credits then
    outcome := 'covered';
    return;
  end if;
  refill := due_refill(
    account, coalesce(seen.remaining_credits, 0), seen.refilled_at, seen.refill_allotment, rules, moment
  );
  if available + refill.missing < credits then
    outcome := 'short';
    available := available + refill.missing;
    return;
  end if;
  balance := lock_balance(account);
  available := balance.remaining - live_holds(account, moment);
  outcome := 'covered';
  if available >= credits then
    return;
  end if;
  cover := cover_by_refill(
    account, credits, rules, moment, balance.remaining, balance.refilled_at, balance.refill_allotment, available
  );
  available := cover.available;
  if not cover.covered then
    outcome := 'short';
  end if;
end $$;

-- Without live holds the condition on the row is the gate.
create or replace function debit_if_covered(
  account uuid, credits bigint, ref text, usage jsonb, rules jsonb, moment timestamptz default now(),
  out outcome text, out available bigint
) language plpgsql as $$
declare
  balance record;
  cover record;
begin
  if credits < 0 then
    perform refuse_amount(credits);
  end if;
  if credits > 0 then
    update credit_balances set remaining_credits = remaining_credits - credits, updated_at = moment
    where account_id = account and remaining_credits >= credits and (held_until is null or held_until <= moment)
    returning remaining_credits into available;
    if found then
      if enter_debit(account, credits, available, ref, usage, moment) then
        outcome := 'booked';
      else
        outcome := 'known';
        available := change_balance(account, credits, moment);
      end if;
      return;
    end if;
  end if;
  balance := lock_balance(account);
  available := balance.remaining - case when balance.held_until > moment then live_holds(account, moment) else 0 end;
  if credits = 0 then
    outcome := 'covered';
    return;
  end if;
  if available < credits then
    if exists (select 1 from credit_ledger where reference = ref) then
      outcome := 'known';
      return;
    end if;
    cover := cover_by_refill(
      account, credits, rules, moment, balance.remaining, balance.refilled_at, balance.refill_allotment, available
    );
    available := cover.available;
    if not cover.covered then
      outcome := 'short';
      return;
    end if;
  end if;
  if enter_debit(account, credits, change_balance(account, -credits, moment), ref, usage, moment) then
    outcome := 'booked';
    available := available - credits;
  else
    perform change_balance(account, credits, moment);
    outcome := 'known';
  end if;
end $$;

-- A hold that has expired is renewed through the gate; settled work is not held again.
create or replace function hold_credits(
  account uuid, credits bigint, ref text, lifetime interval, rules jsonb, moment timestamptz default now(),
  out outcome text, out available bigint
) language plpgsql as $$
declare
  balance record;
  held bigint := 0;
  known boolean := false;
  cover record;
begin
  if credits < 0 then
    perform refuse_amount(credits);
  end if;
  balance := lock_balance(account);
  if balance.held_until > moment then
    select coalesce(sum(amount), 0), coalesce(bool_or(reference = ref), false) into held, known
    from credit_holds where account_id = account and expires_at > moment;
  end if;
  available := balance.remaining - held;
  if known or exists (select 1 from credit_ledger where reference = ref and account_id = account) then
    outcome := 'known';
    return;
  end if;
  if available < credits and credits > 0 then
    cover := cover_by_refill(
      account, credits, rules, moment, balance.remaining, balance.refilled_at, balance.refill_allotment, available
    );
    available := cover.available;
    if not cover.covered then
      outcome := 'short';
      return;
    end if;
  end if;
  outcome := 'booked';
  if credits = 0 then
    return;
  end if;
  insert into credit_holds as h (reference, account_id, amount, expires_at, created_at)
  values (ref, account, credits, moment + lifetime, moment)
  on conflict (reference) do update set amount = excluded.amount, expires_at = excluded.expires_at
  where h.account_id = account;
  if not found then
    raise exception 'the hold % belongs to another account', ref;
  end if;
  if balance.held_until is null or balance.held_until < moment + lifetime then
    update credit_balances set held_until = moment + lifetime where account_id = account;
  end if;
  available := available - credits;
end $$;

-- A hold that has expired, or was swept, is debited all the same: the work was done. The balance comes before the hold,
-- as it does where a hold is made.
create or replace function settle_hold(
  account uuid, credits bigint, ref text, usage jsonb, moment timestamptz default now()
) returns boolean language plpgsql as $$
declare
  changed bigint;
  held bigint;
begin
  if credits < 0 then
    perform refuse_amount(credits);
  end if;
  if credits > 0 then
    changed := change_balance(account, -credits, moment);
  end if;
  delete from credit_holds where reference = ref and account_id = account returning amount into held;
  if credits > held then
    raise exception '% credits cannot be settled on a hold of %', credits, held using errcode = 'check_violation';
  end if;
  if credits = 0 then
    return false;
  end if;
  if enter_debit(account, credits, changed, ref, usage, moment) then
    return true;
  end if;
  perform change_balance(account, credits, moment);
  return false;
end $$;

create or replace function refund_debit(
  account uuid, ref text, why text, moment timestamptz default now()
) returns boolean language plpgsql as $$
declare
  charged bigint;
begin
  select -amount into charged from credit_ledger
  where reference = ref and account_id = account and kind = 'charge';
  if not found then
    return false;
  end if;
  if not enter_credits(account, charged, change_balance(account, charged, moment), 'refund:' || ref, 'refund', null,
    why, moment) then
    perform change_balance(account, -charged, moment);
    return false;
  end if;
  insert into usage_events (reference, account_id, run_id, source, agent_type, provider, model_id, credits,
    resource_url, created_at)
  select 'refund:' || ref, account_id, run_id, source, agent_type, provider, model_id, -credits, resource_url, moment
  from usage_events where reference = ref;
  return true;
end $$;
