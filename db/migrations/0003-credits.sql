-- Credits: balances, the ledger, usage, and the functions that the ledger operations are built from.

-- A table check is read from the catalog and planned again by every statement that writes a row, which took longer than
-- writing the row. The same rules as domains are planned once per connection.
create domain ledger_kind as text check (value in ('seed', 'refill', 'topup', 'grant', 'charge', 'refund'));
create domain ledger_amount as bigint check (value <> 0);
create domain held_amount as bigint check (value > 0);
create domain usage_source as text check (value in ('web', 'api'));

-- Credits are integer micro-dollars. remaining_credits is the sum of the ledger amounts of the account, at every
-- commit.
create table credit_balances (
  account_id uuid primary key references accounts (id) on delete cascade,
  remaining_credits bigint not null default 0,
  refilled_at timestamptz,
  refill_allotment bigint,
  updated_at timestamptz not null default now(),
  auto_topup_enabled boolean not null default false,
  auto_topup_cents bigint,
  auto_topup_threshold_cents bigint,
  auto_topup_last_run_at timestamptz,
  auto_topup_last_error text,
  -- No live hold of the account ends later; null: none. A debit need not read the holds, and an update that waited for
  -- another sees the new value in the row.
  held_until timestamptz,
  -- The last refill lasts until then: no other refill comes before, whichever subscription it is for.
  refilled_until timestamptz
);
create index credit_balances_auto_topup on credit_balances (account_id) where auto_topup_enabled;

-- A table check would run at every change of a balance; this trigger runs only when one of its columns is written.
create function refuse_auto_topup() returns trigger language plpgsql as $$
begin
  raise exception 'automatic top-up without its amounts' using errcode = 'check_violation';
end $$;
create trigger credit_balances_auto_topup_amounts
  after insert or update of auto_topup_enabled, auto_topup_cents, auto_topup_threshold_cents on credit_balances
  for each row
  when (new.auto_topup_enabled and (new.auto_topup_cents is null or new.auto_topup_threshold_cents is null))
  execute function refuse_auto_topup();

-- Every change of a balance, append-only. reference: unique per change, so that a change is entered once.
create table credit_ledger (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts (id) on delete restrict,
  reference text not null unique,
  kind ledger_kind not null,
  amount ledger_amount not null,
  balance_after bigint not null,
  actor uuid,
  reason text,
  created_at timestamptz not null default now()
);
create index credit_ledger_account on credit_ledger (account_id, id);
create trigger credit_ledger_append_only before update or delete on credit_ledger
  for each row execute function refuse_change();
create trigger credit_ledger_no_truncate before truncate on credit_ledger
  for each statement execute function refuse_change();

-- Credits reserved for work that runs.
create table credit_holds (
  reference text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  amount held_amount not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index on credit_holds (account_id, expires_at);

-- What each debit paid for.
create table usage_events (
  reference text primary key references credit_ledger (reference),
  account_id uuid not null,
  run_id text,
  source usage_source not null,
  agent_type text,
  provider text,
  model_id text,
  input_tokens integer not null default 0,
  cached_input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  tool_call_count integer not null default 0,
  credits bigint not null,
  resource_url text,
  created_at timestamptz not null default now()
);
create index usage_events_account on usage_events (account_id, created_at);
create index usage_events_cost on usage_events (account_id, credits desc);
-- For the activity page of the operator.
create index usage_events_created on usage_events using brin (created_at);
-- Charges of the turns of a branch.
create index usage_events_run on usage_events (run_id) where run_id is not null;

-- Days on which all balances were compared with the ledger. Unfinished after an hour: the process that began it died.
create table ledger_checks (
  day date primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  differences integer
);

-- The refill of a balance: whether it is due, and what it would add. An account without an allotment has none:
-- organizations start at 0. rules: {"allotments": {"free", "starter", "pro"}, "enterpriseDomains": []}.
-- A period refills when it begins after the last refill and that one has run out: a second subscription waits for its
-- turn. A trial is refilled once, however long it lasts.
create function due_refill(
  account uuid, remaining bigint, refilled_at timestamptz, refill_allotment bigint, rules jsonb, moment timestamptz,
  out plan text, out allotment bigint, out missing bigint, out due boolean, out lasts_until timestamptz
) language plpgsql stable as $$
declare
  own record;
  earlier timestamptz;
begin
  select a.kind, paid.period_start, paid.period_end, paid.is_trial, coalesce(paid.rank, 0) as paid_rank, case
    when paid.rank = 2 then 2
    when exists (
      select 1 from account_emails e
      where e.account_id = account and (rules -> 'enterpriseDomains') ? split_part(e.email, '@', -1)
    ) then 2
    else coalesce(paid.rank, 0)
  end as rank into own
  from accounts a left join lateral (
    select plan_rank(s.plan) as rank, s.period_start, coalesce(s.period_end, month_after(s.period_start)) as period_end,
      s.status = 'trialing' as is_trial
    from subscriptions s
    where s.account_id = account and grants_plan(s.status, s.cancel_at, s.trial_counts)
    order by 1 desc, s.period_start desc nulls last limit 1
  ) paid on true where a.id = account;
  plan := case own.rank when 2 then 'pro' when 1 then 'starter' else 'free' end;
  allotment := case when own.kind = 'person' or own.rank > 0 then (rules -> 'allotments' ->> plan)::bigint else 0 end;
  if own.paid_rank < own.rank then
    own.period_start := null;
    own.period_end := null;
  end if;
  lasts_until := case when own.is_trial then own.period_end else least(own.period_end, month_after(moment)) end;
  select b.refilled_until into earlier from credit_balances b where b.account_id = account;
  due := allotment > 0 and (
    refilled_at is null
    or (month_after(refilled_at) < moment and coalesce(earlier <= moment, true))
    or (refilled_at < own.period_start and coalesce(earlier <= own.period_start, true)) is true
    or allotment > coalesce(refill_allotment, (rules -> 'allotments' ->> 'free')::bigint)
  );
  missing := case when due then greatest(allotment - remaining, 0) else 0 end;
end $$;

-- The refill of an account. Without a balance row none is due; the plan is returned anyway.
create function refill_of(
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

-- Reads the balance under the lock that orders all operations of an account.
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

-- Changes a balance under its lock and returns the new one.
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

-- Enters the row of a change; false when its reference is known, and the caller reverts the change.
create function enter_credits(
  account uuid, delta bigint, changed bigint, ref text, entry text, actor uuid, reason text, moment timestamptz
) returns boolean language plpgsql as $$
begin
  insert into credit_ledger (account_id, reference, kind, amount, balance_after, actor, reason, created_at)
  values (account, ref, entry, delta, changed, actor, reason, moment)
  on conflict (reference) do nothing;
  return found;
end $$;

-- Enters the row of a debit and its usage. usage: the columns by name; absent ones are null or 0.
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

create function live_holds(account uuid, moment timestamptz) returns bigint language sql stable as $$
  select coalesce(sum(amount), 0)::bigint from credit_holds where account_id = account and expires_at > moment
$$;

-- The only function that books a refill: when it is due, and the credits are covered only with it. When they are not
-- covered it writes nothing and returns what would be available. The caller holds the lock.
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
    refilled_at = date_trunc('milliseconds', moment), refill_allotment = refill.allotment,
    refilled_until = refill.lasts_until, updated_at = moment
  where b.account_id = account;
  if not enter_credits(
    account, refill.missing, remaining + refill.missing,
    'refill:' || account || ':' || coalesce(floor(extract(epoch from earlier) * 1000), 0)::bigint,
    'refill', null, null, moment
  ) then
    raise exception 'a refill of account % was booked before', account;
  end if;
end $$;

create function refuse_amount(credits bigint) returns void language plpgsql as $$
begin
  raise exception 'an amount of % credits is not allowed here', credits using errcode = 'check_violation';
end $$;
