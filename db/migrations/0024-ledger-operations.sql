-- The operations of the ledger: each is one call, so that an operation costs one round trip while it holds the lock on
-- the balance row. `moment` is the time of the operation; `ref` its unique reference. Every statement of a volatile
-- function has a snapshot of its own: what is read after the lock is what the holder before had committed.

-- The start credits of a person are the first refill of the free plan.
update credit_balances set refilled_at = date_trunc('milliseconds', accounts.created_at)
from accounts
where accounts.id = credit_balances.account_id and accounts.kind = 'person' and credit_balances.refilled_at is null;

-- A day whose balances were all compared with their ledgers. Unfinished for an hour: who began it is gone.
create table ledger_checks (
  day date primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  differences integer
);

create function plan_rank(plan text) returns int language sql immutable as $$
  select array_position(array['starter', 'pro'], plan)
$$;

create function is_active(status text, cancel_at timestamptz) returns boolean language sql immutable as $$
  select status = 'active' or (status = 'trialing' and cancel_at is null)
$$;

-- What an account pays for itself decides its allotment; for limits the best plan of its organizations counts, too.
create function plans_of(
  account uuid, enterprise_domains text[],
  out kind text, out own text, out limits text, out period_start timestamptz
) language sql stable as $$
  with own as (
    select max(plan_rank(s.plan)) as rank, max(s.period_start) as period_start from subscriptions s
    where s.account_id = account and is_active(s.status, s.cancel_at)
  ), enterprise as (
    select max(2) as rank from account_emails e
    where e.account_id = account and split_part(e.email, '@', -1) = any (enterprise_domains)
  ), organizations as (
    select max(theirs.rank) as rank from account_organization_ids m cross join lateral (
      select max(plan_rank(s.plan)) as rank from subscriptions s
      where s.account_id = m.organization_id and is_active(s.status, s.cancel_at)
    ) theirs where m.account_id = account and m.state = 'member'
  ), ranks as (
    select greatest(own.rank, enterprise.rank, 0) as own, coalesce(organizations.rank, 0) as organizations,
      own.period_start
    from own, enterprise, organizations
  )
  select a.kind, (array['free', 'starter', 'pro'])[ranks.own + 1],
    (array['free', 'starter', 'pro'])[greatest(ranks.own, ranks.organizations) + 1],
    ranks.period_start
  from accounts a cross join ranks where a.id = account
$$;

-- The refill that is due, and what it would add. An account without an allotment has none: organizations start at 0.
-- rules: {"allotments": {"free", "starter", "pro"}, "enterpriseDomains": []}.
create function refill_of(
  account uuid, rules jsonb, moment timestamptz,
  out plan text, out allotment bigint, out missing bigint, out due boolean
) language plpgsql stable as $$
declare
  plans record;
  balance record;
begin
  select * into plans from plans_of(
    account, array(select jsonb_array_elements_text(rules -> 'enterpriseDomains'))
  );
  plan := plans.own;
  allotment := case when plans.kind = 'person' or plans.own <> 'free'
    then (rules -> 'allotments' ->> plans.own)::bigint else 0 end;
  select remaining_credits, refilled_at, refill_allotment into balance
  from credit_balances where account_id = account;
  due := found and allotment > 0 and (
    balance.refilled_at is null
    or (balance.refilled_at at time zone 'UTC' + interval '1 month') at time zone 'UTC' < moment
    or coalesce(balance.refilled_at < plans.period_start, false)
    or allotment > coalesce(balance.refill_allotment, (rules -> 'allotments' ->> 'free')::bigint)
  );
  missing := case when due then greatest(allotment - balance.remaining_credits, 0) else 0 end;
end $$;

-- The balance, under the lock that orders all operations of an account.
create function lock_balance(account uuid) returns bigint language plpgsql as $$
declare
  balance bigint;
begin
  select remaining_credits into balance from credit_balances where account_id = account for no key update;
  if found then
    return balance;
  end if;
  insert into credit_balances (account_id) values (account) on conflict do nothing;
  select remaining_credits into balance from credit_balances where account_id = account for no key update;
  return balance;
end $$;

-- Row and balance together, or neither when the reference is known. The caller holds the lock and passes the balance.
create function book_credits(
  account uuid, balance bigint, delta bigint, ref text, entry text, actor uuid, reason text, moment timestamptz
) returns boolean language plpgsql as $$
begin
  insert into credit_ledger (account_id, reference, kind, amount, balance_after, actor, reason, created_at)
  values (account, ref, entry, delta, balance + delta, actor, reason, moment)
  on conflict (reference) do nothing;
  if not found then
    return false;
  end if;
  update credit_balances set remaining_credits = balance + delta, updated_at = moment where account_id = account;
  return true;
end $$;

create function refuse_amount(credits bigint) returns void language plpgsql as $$
begin
  raise exception 'an amount of % credits is not allowed here', credits using errcode = 'check_violation';
end $$;

-- Usage beside its debit. usage: the columns by name; what is absent is null or 0.
create function book_debit(
  account uuid, balance bigint, credits bigint, ref text, usage jsonb, moment timestamptz
) returns boolean language plpgsql as $$
begin
  insert into credit_ledger (account_id, reference, kind, amount, balance_after, created_at)
  values (account, ref, 'charge', -credits, balance - credits, moment)
  on conflict (reference) do nothing;
  if not found then
    return false;
  end if;
  update credit_balances set remaining_credits = balance - credits, updated_at = moment where account_id = account;
  insert into usage_events (reference, account_id, run_id, source, agent_type, provider, model_id, input_tokens,
    cached_input_tokens, output_tokens, tool_call_count, credits, resource_url, created_at)
  values (ref, account, usage ->> 'run_id', coalesce(usage ->> 'source', 'api'), usage ->> 'agent_type',
    usage ->> 'provider', usage ->> 'model_id', coalesce((usage ->> 'input_tokens')::int, 0),
    coalesce((usage ->> 'cached_input_tokens')::int, 0), coalesce((usage ->> 'output_tokens')::int, 0),
    coalesce((usage ->> 'tool_call_count')::int, 0), credits, usage ->> 'resource_url', moment);
  return true;
end $$;

create function credit_account(
  account uuid, credits bigint, ref text, entry text, actor uuid, reason text, moment timestamptz default now()
) returns boolean language plpgsql as $$
begin
  if credits < 1 then
    perform refuse_amount(credits);
  end if;
  return book_credits(account, lock_balance(account), credits, ref, entry, actor, reason, moment);
end $$;

create function debit_account(
  account uuid, credits bigint, ref text, usage jsonb, moment timestamptz default now()
) returns boolean language plpgsql as $$
begin
  if credits < 1 then
    perform refuse_amount(credits);
  end if;
  return book_debit(account, lock_balance(account), credits, ref, usage, moment);
end $$;

create function live_holds(account uuid, moment timestamptz) returns bigint language sql stable as $$
  select coalesce(sum(amount), 0)::bigint from credit_holds where account_id = account and expires_at > moment
$$;

-- The one place where a refill is booked: when it is due, and the credits are covered with it and not without it.
-- A gate that stays short has written nothing, and tells what there would be with the refill.
create function cover_credits(
  account uuid, credits bigint, rules jsonb, moment timestamptz,
  inout balance bigint, out available bigint, out covered boolean
) language plpgsql as $$
declare
  refill record;
  earlier timestamptz;
begin
  available := balance - live_holds(account, moment);
  covered := available >= credits;
  if covered then
    return;
  end if;
  select * into refill from refill_of(account, rules, moment);
  available := available + refill.missing;
  covered := available >= credits;
  if not covered then
    return;
  end if;
  select refilled_at into earlier from credit_balances where account_id = account;
  if not book_credits(account, balance, refill.missing,
    'refill:' || account || ':' || coalesce(floor(extract(epoch from earlier) * 1000), 0)::bigint,
    'refill', null, null, moment) then
    raise exception 'a refill of account % was booked before', account;
  end if;
  update credit_balances
  set refilled_at = date_trunc('milliseconds', moment), refill_allotment = refill.allotment
  where account_id = account;
  balance := balance + refill.missing;
end $$;

-- Asks whether work may begin that is paid later, whatever it costs.
create function pass_gate(
  account uuid, credits bigint, rules jsonb, moment timestamptz default now(),
  out outcome text, out available bigint
) language plpgsql as $$
declare
  cover record;
begin
  select * into cover from cover_credits(account, credits, rules, moment, lock_balance(account));
  outcome := case when cover.covered then 'covered' else 'short' end;
  available := cover.available;
end $$;

create function debit_if_covered(
  account uuid, credits bigint, ref text, usage jsonb, rules jsonb, moment timestamptz default now(),
  out outcome text, out available bigint
) language plpgsql as $$
declare
  balance bigint;
  cover record;
begin
  if credits < 0 then
    perform refuse_amount(credits);
  end if;
  balance := lock_balance(account);
  available := balance - live_holds(account, moment);
  if credits = 0 then
    outcome := 'covered';
    return;
  end if;
  if available < credits then
    if exists (select 1 from credit_ledger where reference = ref) then
      outcome := 'known';
      return;
    end if;
    select * into cover from cover_credits(account, credits, rules, moment, balance);
    available := cover.available;
    balance := cover.balance;
    if not cover.covered then
      outcome := 'short';
      return;
    end if;
  end if;
  if book_debit(account, balance, credits, ref, usage, moment) then
    outcome := 'booked';
    available := available - credits;
  else
    outcome := 'known';
  end if;
end $$;

-- A hold that has expired is renewed through the gate; settled work is not held again.
create function hold_credits(
  account uuid, credits bigint, ref text, lifetime interval, rules jsonb, moment timestamptz default now(),
  out outcome text, out available bigint
) language plpgsql as $$
declare
  balance bigint;
  cover record;
begin
  if credits < 0 then
    perform refuse_amount(credits);
  end if;
  balance := lock_balance(account);
  if exists (
    select 1 from credit_holds where reference = ref and account_id = account and expires_at > moment
  ) or exists (
    select 1 from credit_ledger where reference = ref and account_id = account
  ) then
    outcome := 'known';
    available := balance - live_holds(account, moment);
    return;
  end if;
  select * into cover from cover_credits(account, credits, rules, moment, balance);
  available := cover.available;
  if not cover.covered and credits > 0 then
    outcome := 'short';
    return;
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
  available := available - credits;
end $$;

-- A hold that has expired, or was swept, is debited all the same: the work was done.
create function settle_hold(
  account uuid, credits bigint, ref text, usage jsonb, moment timestamptz default now()
) returns boolean language plpgsql as $$
declare
  balance bigint;
  held bigint;
begin
  if credits < 0 then
    perform refuse_amount(credits);
  end if;
  balance := lock_balance(account);
  delete from credit_holds where reference = ref and account_id = account returning amount into held;
  if credits > held then
    raise exception '% credits cannot be settled on a hold of %', credits, held using errcode = 'check_violation';
  end if;
  if credits = 0 then
    return false;
  end if;
  return book_debit(account, balance, credits, ref, usage, moment);
end $$;

create function release_hold(account uuid, ref text) returns void language sql as $$
  delete from credit_holds where reference = ref and account_id = account
$$;

create function refund_debit(
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
  if not book_credits(account, lock_balance(account), charged, 'refund:' || ref, 'refund', null, why, moment) then
    return false;
  end if;
  insert into usage_events (reference, account_id, run_id, source, agent_type, provider, model_id, credits,
    resource_url, created_at)
  select 'refund:' || ref, account_id, run_id, source, agent_type, provider, model_id, -credits, resource_url, moment
  from usage_events where reference = ref;
  return true;
end $$;
