-- The operations of the ledger. Each is one call, so that it costs one round trip while it holds the lock on the
-- balance row. moment: the time of the operation; ref: its unique reference.
-- Every statement of a volatile function has its own snapshot: a read after the lock sees what the previous holder
-- committed. A change of a balance is one update, which locks, checks and changes the row at once; the change is
-- reverted when its reference turns out to be known.

-- Decides whether work may begin that is paid later. Takes the lock only to write a refill.
create function pass_gate(
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

create function credit_account(
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

create function debit_account(
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

-- Without live holds, the condition on the row decides.
create function debit_if_covered(
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

-- An expired hold is renewed through the gate; settled work is not held again.
create function hold_credits(
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

-- An expired or swept hold is debited anyway: the work was done. The balance is locked before the hold, as in
-- hold_credits.
create function settle_hold(
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
