-- What the operations of the ledger are made of, with fewer statements than before.

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
