-- What the migrations add up to. Written by `npm run schema`; never edited, never run.

CREATE OR REPLACE FUNCTION public.abandon_packs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update git_packs set state = 'unreferenced', state_at = '-infinity'
  where repository_id = old.id and state = 'live';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.account_catalogs_take_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select created_at into new.catalog_created_at from catalogs where id = new.catalog_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.change_balance(account uuid, delta bigint, moment timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.chats_take_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select account_id into new.owner_account_id from sessions where id = new.session_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.claim_trial(wanted text, holders text[], subscription text, is_trial boolean)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  taken text[];
begin
  with claimed as (
    insert into trial_holders (plan, holder, subscription_id)
    select wanted, h, subscription from (select distinct unnest(holders) as h order by h) sorted
    on conflict do nothing returning holder
  )
  select array_agg(holder) into taken from claimed;
  if not exists (
    select 1 from trial_holders t
    where t.plan = wanted and t.holder = any (holders) and t.subscription_id <> subscription
  ) then
    return true;
  end if;
  if is_trial then
    delete from trial_holders t where t.plan = wanted and t.holder = any (taken);
  end if;
  return false;
end $function$;

CREATE OR REPLACE FUNCTION public.count_public_templates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change bigint := 0;
begin
  if tg_op <> 'INSERT' then
    change := change - (select count(*) from old_rows where not is_private);
  end if;
  if tg_op <> 'DELETE' then
    change := change + (select count(*) from new_rows where not is_private);
  end if;
  if change <> 0 then
    update public_template_count set count = count + change;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_template_favorite()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    update agent_templates set favorites_count = favorites_count + 1 where id = new.template_id;
  else
    update agent_templates set favorites_count = favorites_count - 1 where id = old.template_id;
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION public.cover_by_refill(account uuid, credits bigint, rules jsonb, moment timestamp with time zone, remaining bigint, earlier timestamp with time zone, refill_allotment bigint, INOUT available bigint, OUT covered boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.credit_account(account uuid, credits bigint, ref text, entry text, actor uuid, reason text, moment timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.debit_account(account uuid, credits bigint, ref text, usage jsonb, moment timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if credits < 1 then
    perform refuse_amount(credits);
  end if;
  if enter_debit(account, credits, change_balance(account, -credits, moment), ref, usage, moment) then
    return true;
  end if;
  perform change_balance(account, credits, moment);
  return false;
end $function$;

CREATE OR REPLACE FUNCTION public.debit_if_covered(account uuid, credits bigint, ref text, usage jsonb, rules jsonb, moment timestamp with time zone DEFAULT now(), OUT outcome text, OUT available bigint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.delete_old_payment_events(before timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  with gone as (
    delete from public.payment_events where received_at < least(before, now() - interval '90 days') returning 1
  )
  select count(*) from gone
$function$;

CREATE OR REPLACE FUNCTION public.delete_source_repository()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from git_repositories r
  where r.name = regexp_replace(substring(old.github_repo from '[^/]+$'), '\.git$', '')
    and old.github_repo like '%/git/' || r.owner || '/' || r.name || '.git'
    and not exists (select 1 from workspace_repositories w where w.repo_owner = r.owner and w.repo_name = r.name);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_workspace_repository()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from git_repositories where owner = old.repo_owner and name = old.repo_name;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_audit_partitions(before date)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.drop_stream_partition(day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  execute format('drop table public.%I', 'stream_chunk_' || to_char(day, 'YYYYMMDD'));
end $function$;

CREATE OR REPLACE FUNCTION public.due_refill(account uuid, remaining bigint, refilled_at timestamp with time zone, refill_allotment bigint, rules jsonb, moment timestamp with time zone, OUT plan text, OUT allotment bigint, OUT missing bigint, OUT due boolean, OUT lasts_until timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.enter_credits(account uuid, delta bigint, changed bigint, ref text, entry text, actor uuid, reason text, moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  insert into credit_ledger (account_id, reference, kind, amount, balance_after, actor, reason, created_at)
  values (account, ref, entry, delta, changed, actor, reason, moment)
  on conflict (reference) do nothing;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.enter_debit(account uuid, credits bigint, changed bigint, ref text, usage jsonb, moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.fair_turn(in_queue text, of_account uuid)
 RETURNS double precision
 LANGUAGE sql
 STABLE
AS $function$
  select greatest(
    (select clock from fair_queues where queue = in_queue),
    (select pass from fair_queue_accounts where queue = in_queue and account_id = of_account),
    0
  )
$function$;

CREATE OR REPLACE FUNCTION public.fair_weight(of_account uuid, enterprise_domains text[])
 RETURNS double precision
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(max(case plans.limits when 'pro' then 4 when 'starter' then 2 else 1 end), 1)::float8
  from plans_of(of_account, enterprise_domains) plans
$function$;

CREATE OR REPLACE FUNCTION public.grants_plan(status text, cancel_at timestamp with time zone, trial_counts boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select status = 'active' or (status = 'trialing' and cancel_at is null and trial_counts)
$function$;

CREATE OR REPLACE FUNCTION public.hold_credits(account uuid, credits bigint, ref text, lifetime interval, rules jsonb, moment timestamp with time zone DEFAULT now(), OUT outcome text, OUT available bigint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.holders_of(account uuid)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select array_agg('email:' || e.email) filter (where e.email is not null) || ('account:' || account)
  from (select 1) one left join account_emails e on e.account_id = account
$function$;

CREATE OR REPLACE FUNCTION public.live_holds(account uuid, moment timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(amount), 0)::bigint from credit_holds where account_id = account and expires_at > moment
$function$;

CREATE OR REPLACE FUNCTION public.lock_balance(account uuid, OUT remaining bigint, OUT refilled_at timestamp with time zone, OUT refill_allotment bigint, OUT held_until timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.make_audit_partition(month date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.make_stream_partition(day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  execute format(
    'create table public.%I partition of public.stream_chunk for values from (%L) to (%L)',
    'stream_chunk_' || to_char(day, 'YYYYMMDD'), to_char(day, 'YYYY-MM-DD'), to_char(day + 1, 'YYYY-MM-DD')
  );
end $function$;

CREATE OR REPLACE FUNCTION public.month_after(moment timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (moment at time zone 'UTC' + interval '1 month') at time zone 'UTC'
$function$;

CREATE OR REPLACE FUNCTION public.note_changed_files(run text)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into session_skills (session_id, skills, seen_at, changed_at)
  select sessions.id, '[]', '-infinity', clock_timestamp()
  from runs join sessions on sessions.id = runs.session_id where runs.id = run
  -- A session that is being deleted is none.
  for key share of sessions
  on conflict (session_id) do update set changed_at = excluded.changed_at
$function$;

CREATE OR REPLACE FUNCTION public.note_ended_tool()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_changed_files(new.run_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_interrupted_tools()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select 1 from run_tool_calls where run_id = new.id and started_at is not null and ended_at is null
  ) then
    perform note_changed_files(new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_access_revoked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('access_revoked', old.account_id::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.pass_gate(account uuid, credits bigint, rules jsonb, moment timestamp with time zone DEFAULT now(), OUT outcome text, OUT available bigint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.place_message()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.branch_id := coalesce(new.branch_id, (select branch_id from chats where id = new.chat_id));
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.plan_rank(plan text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select array_position(array['starter', 'pro'], plan)
$function$;

CREATE OR REPLACE FUNCTION public.plans_of(account uuid, enterprise_domains text[], OUT kind text, OUT own text, OUT limits text, OUT period_start timestamp with time zone)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  with own as (
    select max(plan_rank(s.plan)) as rank, max(s.period_start) as period_start from subscriptions s
    where s.account_id = account and grants_plan(s.status, s.cancel_at, s.trial_counts)
  ), enterprise as (
    select max(2) as rank from account_emails e
    where e.account_id = account and split_part(e.email, '@', -1) = any (enterprise_domains)
  ), organizations as (
    select max(theirs.rank) as rank from account_organization_ids m cross join lateral (
      select max(plan_rank(s.plan)) as rank from subscriptions s
      where s.account_id = m.organization_id and grants_plan(s.status, s.cancel_at, s.trial_counts)
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
$function$;

CREATE OR REPLACE FUNCTION public.posts_give_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update social_posts set published_at = new.published_at where post_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refill_of(account uuid, rules jsonb, moment timestamp with time zone, OUT plan text, OUT allotment bigint, OUT missing bigint, OUT due boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.refund_debit(account uuid, ref text, why text, moment timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_amount(credits bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'an amount of % credits is not allowed here', credits using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_auto_topup()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'automatic top-up without its amounts' using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION public.release_hold(account uuid, ref text)
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from credit_holds where reference = ref and account_id = account
$function$;

CREATE OR REPLACE FUNCTION public.settle_hold(account uuid, credits bigint, ref text, usage jsonb, moment timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.settle_trial()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.trial_counts := new.account_id is not null and new.status in ('trialing', 'active') and claim_trial(
    new.plan, new.paid_by || holders_of(new.account_id), new.subscription_id, new.status = 'trialing'
  );
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.social_posts_take_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select published_at into new.published_at from posts where id = new.post_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.take_fair_turn(in_queue text, of_account uuid, weight double precision)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  begun double precision := fair_turn(in_queue, of_account);
begin
  insert into fair_queues (queue, clock) values (in_queue, begun)
    on conflict (queue) do update set clock = excluded.clock;
  insert into fair_queue_accounts (queue, account_id, pass) values (in_queue, of_account, begun + 1 / weight)
    on conflict (queue, account_id) do update set pass = excluded.pass;
  -- What the clock has passed says no more than no row.
  delete from fair_queue_accounts where queue = in_queue and pass <= begun;
end
$function$;

CREATE OR REPLACE FUNCTION public.touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.updated_at := now();
  return new;
end $function$;

create table account_api_keys (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  name text not null,
  key_hash text not null,
  expires_at timestamp with time zone,
  last_used timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  run_id text,
  sign_in_id uuid,
  constraint account_api_keys_pkey PRIMARY KEY (id),
  constraint account_api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_api_keys_key_hash_key UNIQUE (key_hash),
  constraint account_api_keys_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint account_api_keys_sign_in_id_fkey FOREIGN KEY (sign_in_id) REFERENCES console_sign_ins(id) ON DELETE CASCADE
);

create table account_artist_ids (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  artist_id uuid not null,
  pinned boolean default false not null,
  created_at timestamp with time zone default now() not null,
  constraint account_artist_ids_pkey PRIMARY KEY (id),
  constraint account_artist_ids_account_id_artist_id_key UNIQUE (account_id, artist_id),
  constraint account_artist_ids_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_artist_ids_artist_id_fkey FOREIGN KEY (artist_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table account_catalogs (
  account_id uuid not null,
  catalog_id uuid not null,
  created_at timestamp with time zone default now() not null,
  catalog_created_at timestamp with time zone,
  constraint account_catalogs_pkey PRIMARY KEY (account_id, catalog_id),
  constraint account_catalogs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_catalogs_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(id) ON DELETE CASCADE
);

create table account_emails (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  email text not null,
  created_at timestamp with time zone default now() not null,
  constraint account_emails_pkey PRIMARY KEY (id),
  constraint account_emails_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_emails_email_key UNIQUE (email)
);

create table account_info (
  account_id uuid not null,
  image text,
  instruction text,
  organization text,
  job_title text,
  role_type text,
  company_name text,
  knowledges jsonb default '[]'::jsonb not null,
  updated_at timestamp with time zone default now() not null,
  constraint account_info_pkey PRIMARY KEY (account_id),
  constraint account_info_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table account_organization_ids (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  organization_id uuid not null,
  state text not null,
  invited_by uuid,
  invited_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint account_organization_ids_pkey PRIMARY KEY (id),
  constraint account_organization_ids_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_organization_ids_account_id_organization_id_key UNIQUE (account_id, organization_id),
  constraint account_organization_ids_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_organization_ids_state_check CHECK ((state = ANY (ARRAY['invited'::text, 'member'::text])))
);

create table account_sandboxes (
  id text not null,
  account_id uuid not null,
  state jsonb not null,
  status text default 'pending'::text not null,
  timeout_ms integer not null,
  created_at timestamp with time zone default now() not null,
  constraint account_sandboxes_pkey PRIMARY KEY (id),
  constraint account_sandboxes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_sandboxes_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'stopping'::text, 'stopped'::text, 'failed'::text, 'aborted'::text, 'snapshotting'::text])))
);

create table account_snapshots (
  account_id uuid not null,
  snapshot_id text,
  taken_by text,
  expires_at timestamp with time zone,
  github_repo text,
  created_at timestamp with time zone default now() not null,
  constraint account_snapshots_pkey PRIMARY KEY (account_id),
  constraint account_snapshots_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table account_socials (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  social_id uuid not null,
  added_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint account_socials_pkey PRIMARY KEY (id),
  constraint account_socials_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_socials_account_id_social_id_key UNIQUE (account_id, social_id),
  constraint account_socials_social_id_fkey FOREIGN KEY (social_id) REFERENCES socials(id) ON DELETE CASCADE
);

create table accounts (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  name text,
  created_by uuid,
  first_authenticated_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'organization'::text, 'artist'::text])))
);

create table agent_template_favorites (
  template_id uuid not null,
  account_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint agent_template_favorites_pkey PRIMARY KEY (template_id, account_id),
  constraint agent_template_favorites_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint agent_template_favorites_template_id_fkey FOREIGN KEY (template_id) REFERENCES agent_templates(id) ON DELETE CASCADE
);

create table agent_template_shares (
  template_id uuid not null,
  email text not null,
  "position" integer not null,
  constraint agent_template_shares_pkey PRIMARY KEY (template_id, email),
  constraint agent_template_shares_template_id_fkey FOREIGN KEY (template_id) REFERENCES agent_templates(id) ON DELETE CASCADE
);

create table agent_templates (
  id uuid default gen_random_uuid() not null,
  title text not null,
  description text not null,
  prompt text not null,
  tags text[] default '{}'::text[] not null,
  creator uuid,
  is_private boolean default false not null,
  favorites_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone,
  constraint agent_templates_pkey PRIMARY KEY (id),
  constraint agent_templates_creator_fkey FOREIGN KEY (creator) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint agent_templates_favorites_count_check CHECK ((favorites_count >= 0))
);

create table artist_organization_ids (
  id uuid default gen_random_uuid() not null,
  artist_id uuid not null,
  organization_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint artist_organization_ids_pkey PRIMARY KEY (id),
  constraint artist_organization_ids_artist_id_fkey FOREIGN KEY (artist_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint artist_organization_ids_artist_id_organization_id_key UNIQUE (artist_id, organization_id),
  constraint artist_organization_ids_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table artist_workspace_texts (
  workspace_id uuid not null,
  artist_id uuid not null,
  name text,
  image text,
  instruction text,
  label text,
  knowledges jsonb,
  updated_at timestamp with time zone default now() not null,
  constraint artist_workspace_texts_pkey PRIMARY KEY (workspace_id, artist_id),
  constraint artist_workspace_texts_artist_id_fkey FOREIGN KEY (artist_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint artist_workspace_texts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table audit_log (
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  caller uuid,
  effective_account uuid,
  key_id uuid,
  action text not null,
  object text,
  request_id text,
  result integer not null,
  constraint audit_log_pkey PRIMARY KEY (id, at)
) partition by RANGE (at);

create table background_runs (
  id text not null,
  account_id uuid not null,
  task_identifier text not null,
  status text default 'QUEUED'::text not null,
  title text,
  tags jsonb default '[]'::jsonb not null,
  payload json,
  output json,
  error json,
  metadata jsonb,
  attempts jsonb default '[]'::jsonb not null,
  schedule json,
  related_runs json,
  idempotency_key text,
  concurrency_key text,
  credits bigint default 0 not null,
  version text not null,
  delayed_until timestamp with time zone,
  expired_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  engine_started_at timestamp with time zone,
  cancel_requested_at timestamp with time zone,
  cancel_delivered_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  task_id uuid,
  nominal_at timestamp with time zone,
  cancellable boolean default false not null,
  inherited jsonb,
  constraint background_runs_pkey PRIMARY KEY (id),
  constraint background_runs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint background_runs_check CHECK (((finished_at IS NOT NULL) = (status = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text, 'CRASHED'::text, 'SYSTEM_FAILURE'::text])))),
  constraint background_runs_check1 CHECK (((output IS NULL) OR (status = 'COMPLETED'::text))),
  constraint background_runs_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'DELAYED'::text, 'EXECUTING'::text, 'REATTEMPTING'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text, 'CRASHED'::text, 'SYSTEM_FAILURE'::text])))
);

create table base_snapshots (
  snapshot_id text not null,
  sandbox_type text not null,
  clone_url text not null,
  commit text not null,
  size_bytes bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint base_snapshots_pkey PRIMARY KEY (snapshot_id)
);

create table capture_chunks (
  snapshot_id uuid not null,
  chunk integer not null,
  album_count integer not null,
  provider_run_id text,
  outcome text default 'open'::text not null,
  measured_count integer default 0 not null,
  is_paid boolean default false not null,
  captured_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  unmeasured_album_ids text[] default '{}'::text[] not null,
  constraint capture_chunks_pkey PRIMARY KEY (snapshot_id, chunk),
  constraint capture_chunks_album_count_check CHECK ((album_count > 0)),
  constraint capture_chunks_chunk_check CHECK ((chunk >= 0)),
  constraint capture_chunks_outcome_check CHECK ((outcome = ANY (ARRAY['open'::text, 'written'::text, 'failed'::text]))),
  constraint capture_chunks_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES playcount_snapshots(id) ON DELETE CASCADE
);

create table catalog_songs (
  catalog_id uuid not null,
  isrc text not null,
  name text,
  album text,
  lyrics text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint catalog_songs_pkey PRIMARY KEY (catalog_id, isrc),
  constraint catalog_songs_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(id) ON DELETE CASCADE,
  constraint catalog_songs_isrc_fkey FOREIGN KEY (isrc) REFERENCES songs(isrc) ON DELETE CASCADE
);

create table catalog_valuations (
  id uuid default gen_random_uuid() not null,
  catalog_id uuid not null,
  low numeric(20,2) not null,
  mid numeric(20,2) not null,
  high numeric(20,2) not null,
  measured_song_count integer not null,
  total_streams bigint not null,
  source text not null,
  run_id text,
  measured_at timestamp with time zone default now() not null,
  measured_on date default ((now() AT TIME ZONE 'UTC'::text))::date not null,
  constraint catalog_valuations_pkey PRIMARY KEY (id),
  constraint catalog_valuations_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(id) ON DELETE CASCADE,
  constraint catalog_valuations_high_check CHECK ((high >= (0)::numeric)),
  constraint catalog_valuations_low_check CHECK ((low >= (0)::numeric)),
  constraint catalog_valuations_mid_check CHECK ((mid >= (0)::numeric)),
  constraint catalog_valuations_run_id_key UNIQUE (run_id),
  constraint catalog_valuations_source_check CHECK ((source = ANY (ARRAY['run'::text, 'read'::text]))),
  constraint catalog_valuations_total_streams_check CHECK ((total_streams >= 0))
);

create table catalogs (
  id uuid default gen_random_uuid() not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint catalogs_pkey PRIMARY KEY (id)
);

create table chat_branches (
  id text not null,
  chat_id uuid not null,
  parent_id text,
  fork_position bigint not null,
  kind text not null,
  version_of text not null,
  run_id text not null,
  restore_state text,
  restore_commit text,
  restore_before timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint chat_branches_pkey PRIMARY KEY (id),
  constraint chat_branches_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES chats(id) ON DELETE CASCADE,
  constraint chat_branches_kind_check CHECK ((kind = ANY (ARRAY['regenerate'::text, 'edit'::text]))),
  constraint chat_branches_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES chat_branches(id) ON DELETE CASCADE,
  constraint chat_branches_restore_state_check CHECK ((restore_state = ANY (ARRAY['restoring'::text, 'restored'::text, 'kept'::text]))),
  constraint chat_branches_run_id_key UNIQUE (run_id)
);

create table chat_message_parts (
  chat_id uuid not null,
  message_id text not null,
  "position" integer not null,
  tool_call_id text,
  part json not null,
  constraint chat_message_parts_pkey PRIMARY KEY (chat_id, message_id, "position"),
  constraint chat_message_parts_chat_id_message_id_fkey FOREIGN KEY (chat_id, message_id) REFERENCES chat_messages(chat_id, id) ON DELETE CASCADE
);

create table chat_messages (
  chat_id uuid not null,
  id text not null,
  "position" bigint generated always as identity not null,
  role text not null,
  metadata json,
  created_at timestamp with time zone default now() not null,
  branch_id text,
  sent_id text,
  constraint chat_messages_pkey PRIMARY KEY (chat_id, id),
  constraint chat_messages_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES chats(id) ON DELETE CASCADE,
  constraint chat_messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text])))
);

create table chat_platform_events (
  event_id text not null,
  workspace_id text not null,
  thread_id text not null,
  text text not null,
  done_at timestamp with time zone,
  received_at timestamp with time zone default now() not null,
  constraint chat_platform_events_pkey PRIMARY KEY (event_id)
);

create table chat_posts (
  thread_id text not null,
  key text not null,
  place bigint generated always as identity not null,
  text text not null,
  file jsonb,
  state text default 'waiting'::text not null,
  asked_at timestamp with time zone,
  message_id text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint chat_posts_pkey PRIMARY KEY (thread_id, key),
  constraint chat_posts_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'in_doubt'::text])))
);

create table chat_queue (
  id text not null,
  chat_id uuid not null,
  place integer not null,
  state text default 'waiting'::text not null,
  on_busy text not null,
  message_id text not null,
  message json,
  history json,
  since_message_id text,
  headless boolean not null,
  source text not null,
  context_limit integer,
  run_id text,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  inherited jsonb,
  bytes integer generated always as ((COALESCE(octet_length((message)::text), 0) + COALESCE(octet_length((history)::text), 0))) stored not null,
  constraint chat_queue_pkey PRIMARY KEY (id),
  constraint chat_queue_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES chats(id) ON DELETE CASCADE,
  constraint chat_queue_check CHECK (((message IS NOT NULL) OR (state <> 'waiting'::text))),
  constraint chat_queue_check1 CHECK (((history IS NOT NULL) OR (state <> 'waiting'::text))),
  constraint chat_queue_check2 CHECK (((ended_at IS NULL) = (state = 'waiting'::text))),
  constraint chat_queue_on_busy_check CHECK ((on_busy = ANY (ARRAY['queue'::text, 'interrupt'::text, 'steer'::text]))),
  constraint chat_queue_source_check CHECK ((source = ANY (ARRAY['web'::text, 'api'::text]))),
  constraint chat_queue_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'accepted'::text, 'steered'::text, 'removed'::text])))
);

create table chat_reads (
  account_id uuid not null,
  chat_id uuid not null,
  last_read_at timestamp with time zone not null,
  constraint chat_reads_pkey PRIMARY KEY (account_id, chat_id),
  constraint chat_reads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint chat_reads_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES chats(id) ON DELETE CASCADE
);

create table chat_refusals (
  chat_id uuid not null,
  model_id text not null,
  kind text not null,
  through_id text not null,
  created_at timestamp with time zone default now() not null,
  constraint chat_refusals_pkey PRIMARY KEY (chat_id, model_id, kind),
  constraint chat_refusals_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES chats(id) ON DELETE CASCADE
);

create table chat_shares (
  id uuid default gen_random_uuid() not null,
  token_hash text not null,
  chat_id uuid not null,
  branch_id text,
  last_position bigint not null,
  last_message_id text not null,
  last_parts integer not null,
  tool_outputs boolean default false not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint chat_shares_pkey PRIMARY KEY (id),
  constraint chat_shares_branch_id_fkey FOREIGN KEY (branch_id) REFERENCES chat_branches(id) ON DELETE CASCADE,
  constraint chat_shares_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES chats(id) ON DELETE CASCADE,
  constraint chat_shares_token_hash_key UNIQUE (token_hash)
);

create table chat_summaries (
  id uuid default gen_random_uuid() not null,
  chat_id uuid not null,
  made_for text not null,
  run_id text,
  message_ids text[] not null,
  text text not null,
  model_id text not null,
  usage json,
  cost_usd numeric not null,
  tokens_before integer not null,
  tokens_after integer not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint chat_summaries_pkey PRIMARY KEY (id),
  constraint chat_summaries_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES chats(id) ON DELETE CASCADE,
  constraint chat_summaries_made_for_key UNIQUE (made_for),
  constraint chat_summaries_message_ids_check CHECK ((cardinality(message_ids) > 0))
);

create table chats (
  id uuid default gen_random_uuid() not null,
  session_id uuid not null,
  title text not null,
  model_id text,
  active_stream_id text,
  last_assistant_message_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  queue_hold text,
  queue_hold_text text,
  branch_id text,
  auto_compact boolean,
  owner_account_id uuid,
  sandbox_epoch integer,
  constraint chats_pkey PRIMARY KEY (id),
  constraint chats_queue_hold_check CHECK ((queue_hold = ANY (ARRAY['requested'::text, 'stopped'::text, 'failed'::text, 'awaiting_user'::text, 'insufficient_credits'::text, 'sandbox_not_initialized'::text]))),
  constraint chats_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);

create table connector_actions (
  entity_id text not null,
  action_slug text not null,
  connector_slug text not null,
  name text not null,
  description text not null,
  parameters jsonb not null,
  file_fields text[] not null,
  constraint connector_actions_pkey PRIMARY KEY (entity_id, action_slug),
  constraint connector_actions_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES connector_catalogs(entity_id) ON DELETE CASCADE
);

create table connector_calls (
  reference text not null,
  account_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint connector_calls_pkey PRIMARY KEY (reference),
  constraint connector_calls_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table connector_catalogs (
  entity_id text not null,
  workspace_id uuid not null,
  subject_id uuid not null,
  toolkits text[] not null,
  fetched_at timestamp with time zone not null,
  forced_at timestamp with time zone,
  constraint connector_catalogs_pkey PRIMARY KEY (entity_id),
  constraint connector_catalogs_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint connector_catalogs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table connector_connections (
  connected_account_id text not null,
  workspace_id uuid not null,
  subject_id uuid not null,
  toolkit text not null,
  active boolean not null,
  replaced_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  account_name text,
  failures integer default 0 not null,
  retry_at timestamp with time zone default now() not null,
  constraint connector_connections_pkey PRIMARY KEY (connected_account_id),
  constraint connector_connections_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint connector_connections_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table connector_demo_connections (
  connected_account_id text not null,
  workspace_id uuid not null,
  subject_id uuid not null,
  toolkit text not null,
  active boolean default false not null,
  created_at timestamp with time zone default now() not null,
  recipient text,
  constraint connector_demo_connections_pkey PRIMARY KEY (connected_account_id),
  constraint connector_demo_connections_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint connector_demo_connections_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table connector_demo_items (
  id uuid default gen_random_uuid() not null,
  workspace_id uuid not null,
  subject_id uuid not null,
  kind text not null,
  title text not null,
  body text not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint connector_demo_items_pkey PRIMARY KEY (id),
  constraint connector_demo_items_check CHECK (((kind = 'event'::text) = ((starts_at IS NOT NULL) AND (ends_at IS NOT NULL)))),
  constraint connector_demo_items_kind_check CHECK ((kind = ANY (ARRAY['note'::text, 'event'::text]))),
  constraint connector_demo_items_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint connector_demo_items_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table connector_demo_receipts (
  key text not null,
  result jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint connector_demo_receipts_pkey PRIMARY KEY (key)
);

create table connector_files (
  key text not null,
  workspace_id uuid not null,
  subject_id uuid not null,
  toolkit text not null,
  name text not null,
  mimetype text not null,
  broker_key text,
  expires_at timestamp with time zone not null,
  bytes bigint default 0 not null,
  failures integer default 0 not null,
  retry_at timestamp with time zone default now() not null,
  constraint connector_files_pkey PRIMARY KEY (key),
  constraint connector_files_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint connector_files_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table connector_grants (
  connected_account_id text not null,
  workspace_id uuid not null,
  subject_id uuid not null,
  toolkit text not null,
  state text not null,
  sealed text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  account_name text,
  constraint connector_grants_pkey PRIMARY KEY (connected_account_id),
  constraint connector_grants_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'exchanging'::text, 'granted'::text, 'lost'::text]))),
  constraint connector_grants_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint connector_grants_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table connector_states (
  state_hash text not null,
  caller uuid not null,
  workspace_id uuid not null,
  subject_id uuid not null,
  toolkit text not null,
  target text,
  connected_account_id text,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  confirm_hash text,
  account_name text,
  failures integer default 0 not null,
  retry_at timestamp with time zone default now() not null,
  constraint connector_states_pkey PRIMARY KEY (state_hash),
  constraint connector_states_caller_fkey FOREIGN KEY (caller) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint connector_states_confirm_hash_key UNIQUE (confirm_hash),
  constraint connector_states_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint connector_states_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table console_sign_ins (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  family_hash text not null,
  token_hash text not null,
  previous_hash text,
  rotated_at timestamp with time zone default now() not null,
  user_agent text not null,
  created_at timestamp with time zone default now() not null,
  last_used timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint console_sign_ins_pkey PRIMARY KEY (id),
  constraint console_sign_ins_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint console_sign_ins_family_hash_key UNIQUE (family_hash)
);

create table content_runs (
  run_id text not null,
  account_id uuid not null,
  artist_account_id uuid,
  artist_name text not null,
  wish jsonb not null,
  turn integer not null,
  state text default 'queued'::text not null,
  image_key text,
  song jsonb,
  clip jsonb,
  caption text,
  asked_at timestamp with time zone,
  provider_request_id text,
  video_key text,
  error text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint content_runs_pkey PRIMARY KEY (run_id),
  constraint content_runs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint content_runs_artist_account_id_fkey FOREIGN KEY (artist_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint content_runs_check CHECK (((state <> 'completed'::text) OR (video_key IS NOT NULL))),
  constraint content_runs_check1 CHECK (((state <> 'failed'::text) OR (error IS NOT NULL))),
  constraint content_runs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text]))),
  constraint content_runs_turn_check CHECK ((turn >= 0))
);

create table content_threads (
  thread_id text not null,
  account_id uuid not null,
  state text not null,
  outcome text,
  artist_account_id uuid not null,
  template text not null,
  lipsync boolean not null,
  batch integer not null,
  run_ids text[] not null,
  poll_run_id text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint content_threads_pkey PRIMARY KEY (thread_id),
  constraint content_threads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint content_threads_check CHECK (((state <> 'posting'::text) OR (outcome IS NOT NULL))),
  constraint content_threads_outcome_check CHECK ((outcome = ANY (ARRAY['completed'::text, 'failed'::text, 'timeout'::text]))),
  constraint content_threads_state_check CHECK ((state = ANY (ARRAY['running'::text, 'posting'::text, 'completed'::text, 'failed'::text, 'timeout'::text])))
);

create table credit_balances (
  account_id uuid not null,
  remaining_credits bigint default 0 not null,
  refilled_at timestamp with time zone,
  refill_allotment bigint,
  updated_at timestamp with time zone default now() not null,
  auto_topup_enabled boolean default false not null,
  auto_topup_cents bigint,
  auto_topup_threshold_cents bigint,
  auto_topup_last_run_at timestamp with time zone,
  auto_topup_last_error text,
  held_until timestamp with time zone,
  refilled_until timestamp with time zone,
  constraint credit_balances_pkey PRIMARY KEY (account_id),
  constraint credit_balances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table credit_holds (
  reference text not null,
  account_id uuid not null,
  amount held_amount not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint credit_holds_pkey PRIMARY KEY (reference),
  constraint credit_holds_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table credit_ledger (
  id bigint generated always as identity not null,
  account_id uuid not null,
  reference text not null,
  kind ledger_kind not null,
  amount ledger_amount not null,
  balance_after bigint not null,
  actor uuid,
  reason text,
  created_at timestamp with time zone default now() not null,
  constraint credit_ledger_pkey PRIMARY KEY (id),
  constraint credit_ledger_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE RESTRICT,
  constraint credit_ledger_reference_key UNIQUE (reference)
);

create table deployment (
  singleton boolean default true not null,
  id uuid default gen_random_uuid() not null,
  epoch integer default 1 not null,
  constraint deployment_pkey PRIMARY KEY (singleton),
  constraint deployment_singleton_check CHECK (singleton)
);

create table email_send_log (
  id uuid default gen_random_uuid() not null,
  account_id uuid,
  reference text,
  recipients text[] not null,
  subject text not null,
  chat_id text,
  status text default 'queued'::text not null,
  message_id text,
  claimed_until timestamp with time zone,
  attempts integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  refused text[] default '{}'::text[] not null,
  failure text,
  constraint email_send_log_pkey PRIMARY KEY (id),
  constraint email_send_log_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint email_send_log_reference_key UNIQUE (reference),
  constraint email_send_log_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'send_failed'::text, 'rejected'::text, 'skipped'::text])))
);

create table email_verifications (
  email text not null,
  code_hash text not null,
  expires_at timestamp with time zone not null,
  attempts integer default 0 not null,
  window_start timestamp with time zone default now() not null,
  window_attempts integer default 0 not null,
  constraint email_verifications_pkey PRIMARY KEY (email),
  constraint email_verifications_attempts_check CHECK (((attempts >= 0) AND (attempts <= 5)))
);

create table embedded_cards (
  id text not null,
  customer_id text not null,
  behaviour text not null,
  brand text not null,
  last4 text not null,
  exp_month integer not null,
  exp_year integer not null,
  detached_at timestamp with time zone,
  "position" bigint generated always as identity not null,
  created_at timestamp with time zone default now() not null,
  constraint embedded_cards_pkey PRIMARY KEY (id),
  constraint embedded_cards_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES embedded_customers(id) ON DELETE CASCADE,
  constraint embedded_cards_last4_check CHECK ((last4 ~ '^[0-9]{4}$'::text))
);

create table embedded_chat_messages (
  id bigint generated always as identity not null,
  thread_id text not null,
  author text not null,
  text text not null,
  file jsonb,
  key text,
  created_at timestamp with time zone default now() not null,
  constraint embedded_chat_messages_pkey PRIMARY KEY (id),
  constraint embedded_chat_messages_key_key UNIQUE (key)
);

create table embedded_customers (
  id text not null,
  account_id text,
  email text,
  default_card_id text,
  metadata jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint embedded_customers_pkey PRIMARY KEY (id),
  constraint embedded_customers_account_id_key UNIQUE (account_id)
);

create table embedded_payment_events (
  id text not null,
  type text not null,
  object_id text not null,
  payload text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone,
  delivered_at timestamp with time zone,
  last_answer text,
  created_at timestamp with time zone default now() not null,
  constraint embedded_payment_events_pkey PRIMARY KEY (id)
);

create table embedded_payments (
  id text not null,
  customer_id text,
  card_id text,
  amount_cents bigint not null,
  currency text not null,
  status text not null,
  code text,
  metadata jsonb default '{}'::jsonb not null,
  request_hash text not null,
  idempotency_key text not null,
  created_at timestamp with time zone default now() not null,
  constraint embedded_payments_pkey PRIMARY KEY (id),
  constraint embedded_payments_amount_cents_check CHECK ((amount_cents > 0)),
  constraint embedded_payments_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES embedded_customers(id) ON DELETE CASCADE,
  constraint embedded_payments_idempotency_key_key UNIQUE (idempotency_key),
  constraint embedded_payments_status_check CHECK ((status = ANY (ARRAY['succeeded'::text, 'authentication_required'::text, 'failed'::text])))
);

create table embedded_renders (
  id text not null,
  request jsonb not null,
  state text default 'queued'::text not null,
  process_id bigint,
  attempt integer default 0 not null,
  logs jsonb default '[]'::jsonb not null,
  file jsonb,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  account_id uuid,
  constraint embedded_renders_pkey PRIMARY KEY (id),
  constraint embedded_renders_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text])))
);

create table embedded_scraper_runs (
  id text not null,
  run_key text not null,
  kind text not null,
  input jsonb not null,
  aborted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint embedded_scraper_runs_pkey PRIMARY KEY (id),
  constraint embedded_scraper_runs_run_key_key UNIQUE (run_key)
);

create table embedded_sessions (
  id text not null,
  kind text not null,
  customer_id text,
  request jsonb not null,
  request_hash text not null,
  idempotency_key text not null,
  completed_at timestamp with time zone,
  forms integer default 0 not null,
  draft jsonb,
  payment_id text,
  subscription_id text,
  card_id text,
  email text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint embedded_sessions_pkey PRIMARY KEY (id),
  constraint embedded_sessions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES embedded_customers(id) ON DELETE CASCADE,
  constraint embedded_sessions_idempotency_key_key UNIQUE (idempotency_key),
  constraint embedded_sessions_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'subscription'::text, 'setup'::text, 'portal'::text])))
);

create table embedded_subscriptions (
  id text not null,
  customer_id text not null,
  card_id text,
  price_id text not null,
  status text not null,
  anchor timestamp with time zone not null,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone not null,
  next_charge_at timestamp with time zone,
  cancel_at timestamp with time zone,
  refusals integer default 0 not null,
  metadata jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint embedded_subscriptions_pkey PRIMARY KEY (id),
  constraint embedded_subscriptions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES embedded_customers(id) ON DELETE CASCADE,
  constraint embedded_subscriptions_status_check CHECK ((status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text, 'canceled'::text])))
);

create table fair_queue_accounts (
  queue text not null,
  account_id uuid not null,
  pass double precision not null,
  constraint fair_queue_accounts_pkey PRIMARY KEY (queue, account_id)
);

create table fair_queues (
  queue text not null,
  clock double precision not null,
  constraint fair_queues_pkey PRIMARY KEY (queue)
);

create table git_packs (
  id uuid not null,
  repository_id uuid not null,
  sha256 text not null,
  pack_bytes bigint not null,
  index_bytes bigint not null,
  state text not null,
  state_at timestamp with time zone default now() not null,
  constraint git_packs_pkey PRIMARY KEY (id),
  constraint git_packs_state_check CHECK ((state = ANY (ARRAY['uploading'::text, 'live'::text, 'unreferenced'::text, 'deleting'::text])))
);

create table git_repositories (
  id uuid not null,
  owner text not null,
  name text not null,
  refs jsonb not null,
  packs integer not null,
  created_at timestamp with time zone default now() not null,
  constraint git_repositories_pkey PRIMARY KEY (id),
  constraint git_repositories_owner_name_key UNIQUE (owner, name)
);

create table idempotency_keys (
  account_id uuid not null,
  route text not null,
  key text not null,
  request_hash text not null,
  state text not null,
  holder bigint not null,
  status integer,
  body json,
  headers jsonb,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, route, key),
  constraint idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint idempotency_keys_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'done'::text])))
);

create table inbox_messages (
  id uuid default gen_random_uuid() not null,
  idempotency_key text not null,
  recipients text[] not null,
  subject text not null,
  raw bytea not null,
  received_at timestamp with time zone default now() not null,
  constraint inbox_messages_pkey PRIMARY KEY (id),
  constraint inbox_messages_idempotency_key_key UNIQUE (idempotency_key)
);

create table invitation_acceptances (
  account_id uuid not null,
  accepted_at timestamp with time zone default now() not null,
  constraint invitation_acceptances_pkey PRIMARY KEY (account_id),
  constraint invitation_acceptances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table invitation_mails (
  account_id uuid not null,
  organization_id uuid not null,
  mailed_at timestamp with time zone default now() not null,
  constraint invitation_mails_pkey PRIMARY KEY (account_id, organization_id),
  constraint invitation_mails_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint invitation_mails_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table latest_measurements (
  isrc text not null,
  platform text not null,
  metric text not null,
  value bigint not null,
  captured_at timestamp with time zone not null,
  constraint latest_measurements_pkey PRIMARY KEY (isrc, platform, metric),
  constraint latest_measurements_isrc_fkey FOREIGN KEY (isrc) REFERENCES songs(isrc) ON DELETE CASCADE
);

create table ledger_checks (
  day date not null,
  started_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  differences integer,
  constraint ledger_checks_pkey PRIMARY KEY (day)
);

create table machines (
  id uuid not null,
  address text not null,
  build text not null,
  first_seen_at timestamp with time zone default now() not null,
  seen_at timestamp with time zone default now() not null,
  sandbox_address text,
  reports_since timestamp with time zone default now() not null,
  constraint machines_pkey PRIMARY KEY (id)
) with (fillfactor=50);

create table mail_outbox (
  id uuid not null,
  message jsonb not null,
  due_at timestamp with time zone not null,
  constraint mail_outbox_pkey PRIMARY KEY (id),
  constraint mail_outbox_id_fkey FOREIGN KEY (id) REFERENCES email_send_log(id) ON DELETE CASCADE
);

create table mail_replies (
  id uuid default gen_random_uuid() not null,
  provider_key text not null,
  chat_id uuid not null,
  content json,
  status text default 'received'::text not null,
  reason text,
  run_id text,
  received_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  words text,
  failed_reads integer default 0 not null,
  due_at timestamp with time zone default now() not null,
  constraint mail_replies_pkey PRIMARY KEY (id),
  constraint mail_replies_provider_key_key UNIQUE (provider_key),
  constraint mail_replies_status_check CHECK ((status = ANY (ARRAY['received'::text, 'answered'::text, 'ignored'::text])))
);

create table media_objects (
  key text not null,
  account_id uuid,
  bytes bigint not null,
  constraint media_objects_pkey PRIMARY KEY (key),
  constraint media_objects_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint media_objects_bytes_check CHECK ((bytes >= 0))
);

create table media_reservations (
  attempt uuid not null,
  account_id uuid,
  bytes bigint not null,
  expires_at timestamp with time zone not null,
  constraint media_reservations_pkey PRIMARY KEY (attempt),
  constraint media_reservations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint media_reservations_bytes_check CHECK ((bytes >= 0))
);

create table media_usage (
  account_id uuid not null,
  bytes bigint default 0 not null,
  constraint media_usage_pkey PRIMARY KEY (account_id),
  constraint media_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint media_usage_bytes_check CHECK ((bytes >= 0))
);

create table model_outcomes (
  model_id text not null,
  outcome text not null,
  called_at timestamp with time zone default now() not null,
  constraint model_outcomes_pkey PRIMARY KEY (model_id),
  constraint model_outcomes_outcome_check CHECK ((outcome = ANY (ARRAY['answered'::text, 'refused'::text, 'failed'::text])))
);

create table music_generations (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  run_id text not null,
  status text default 'pending'::text not null,
  model text not null,
  prompt text not null,
  lyrics text not null,
  parameters jsonb not null,
  duration_seconds numeric,
  storage_key text,
  asked_at timestamp with time zone,
  provider_request_id text,
  logs jsonb default '[]'::jsonb not null,
  error_message text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint music_generations_pkey PRIMARY KEY (id),
  constraint music_generations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint music_generations_check CHECK (((status = 'completed'::text) = (storage_key IS NOT NULL))),
  constraint music_generations_check1 CHECK (((status = 'failed'::text) = (error_message IS NOT NULL))),
  constraint music_generations_duration_seconds_check CHECK ((duration_seconds > (0)::numeric)),
  constraint music_generations_run_id_key UNIQUE (run_id),
  constraint music_generations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text]))),
  constraint music_generations_storage_key_key UNIQUE (storage_key)
);

create table payment_customers (
  account_id uuid not null,
  customer_id text not null,
  default_card jsonb,
  updated_at timestamp with time zone default now() not null,
  card_read_at timestamp with time zone,
  wanted_card_id text,
  wanted_at timestamp with time zone,
  constraint payment_customers_pkey PRIMARY KEY (account_id),
  constraint payment_customers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint payment_customers_customer_id_key UNIQUE (customer_id)
);

create table payment_events (
  event_id text not null,
  type text not null,
  payment_ref text,
  received_at timestamp with time zone default now() not null,
  constraint payment_events_pkey PRIMARY KEY (event_id)
);

create table payment_intents (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  purpose text not null,
  credits bigint not null,
  total_cents bigint not null,
  path text not null,
  payment_id text,
  checkout_id text,
  state text default 'created'::text not null,
  success_url text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  request_key text,
  card_id text,
  decline_code text,
  looked_at timestamp with time zone,
  constraint payment_intents_pkey PRIMARY KEY (id),
  constraint payment_intents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE RESTRICT,
  constraint payment_intents_checkout_id_key UNIQUE (checkout_id),
  constraint payment_intents_credits_check CHECK ((credits > 0)),
  constraint payment_intents_path_check CHECK ((path = ANY (ARRAY['card'::text, 'checkout'::text]))),
  constraint payment_intents_payment_id_key UNIQUE (payment_id),
  constraint payment_intents_purpose_check CHECK ((purpose = ANY (ARRAY['topup'::text, 'auto_topup'::text]))),
  constraint payment_intents_state_check CHECK ((state = ANY (ARRAY['created'::text, 'pending'::text, 'paid'::text, 'failed'::text, 'mismatch'::text]))),
  constraint payment_intents_total_cents_check CHECK ((total_cents > 0))
);

create table playcount_snapshots (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  catalog_id uuid,
  run_id text not null,
  streaming_artist_id text,
  album_ids text[] not null,
  isrcs text[],
  platforms text[] not null,
  album_hash text not null,
  state text default 'queued'::text not null,
  error text,
  album_count integer not null,
  estimated_cost_usd numeric(14,6) not null,
  credits_charged bigint default 0 not null,
  earliest_release date,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  unmeasured_album_ids text[] default '{}'::text[] not null,
  earlier_snapshot_ids uuid[] default '{}'::uuid[] not null,
  constraint playcount_snapshots_pkey PRIMARY KEY (id),
  constraint playcount_snapshots_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint playcount_snapshots_album_count_check CHECK ((album_count > 0)),
  constraint playcount_snapshots_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(id) ON DELETE SET NULL,
  constraint playcount_snapshots_credits_charged_check CHECK ((credits_charged >= 0)),
  constraint playcount_snapshots_error_check CHECK ((error = ANY (ARRAY['provider_failed'::text, 'no_play_counts'::text, 'timeout'::text]))),
  constraint playcount_snapshots_estimated_cost_usd_check CHECK ((estimated_cost_usd >= (0)::numeric)),
  constraint playcount_snapshots_run_id_key UNIQUE (run_id),
  constraint playcount_snapshots_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);

create table posts (
  id uuid default gen_random_uuid() not null,
  post_url text not null,
  published_at timestamp with time zone not null,
  views bigint,
  likes bigint,
  comments bigint,
  reposts bigint,
  created_at timestamp with time zone default now() not null,
  constraint posts_pkey PRIMARY KEY (id),
  constraint posts_comments_check CHECK ((comments >= 0)),
  constraint posts_likes_check CHECK ((likes >= 0)),
  constraint posts_post_url_key UNIQUE (post_url),
  constraint posts_reposts_check CHECK ((reposts >= 0)),
  constraint posts_views_check CHECK ((views >= 0))
);

create table process_reports (
  process_id bigint not null,
  part text not null,
  host text not null,
  pid integer not null,
  build text not null,
  started_at timestamp with time zone not null,
  reported_at timestamp with time zone default now() not null,
  figures jsonb not null,
  answered_at timestamp with time zone,
  machine_id uuid,
  constraint process_reports_pkey PRIMARY KEY (process_id),
  constraint process_reports_part_check CHECK ((part = ANY (ARRAY['api'::text, 'worker'::text])))
) with (fillfactor=50);

create table project_collaborators (
  project_id uuid not null,
  account_id uuid not null,
  created_at timestamp with time zone default now() not null,
  project_created_at timestamp with time zone,
  constraint project_collaborators_pkey PRIMARY KEY (project_id, account_id),
  constraint project_collaborators_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint project_collaborators_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

create table project_task_comments (
  id uuid default gen_random_uuid() not null,
  task_id uuid not null,
  account_id uuid not null,
  body text not null,
  created_at timestamp with time zone default now() not null,
  constraint project_task_comments_pkey PRIMARY KEY (id),
  constraint project_task_comments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE RESTRICT,
  constraint project_task_comments_body_check CHECK (((length(body) >= 1) AND (length(body) <= 4000))),
  constraint project_task_comments_task_id_fkey FOREIGN KEY (task_id) REFERENCES project_tasks(id) ON DELETE CASCADE
);

create table project_tasks (
  id uuid default gen_random_uuid() not null,
  project_id uuid not null,
  title text not null,
  description text,
  due_date date,
  assignee_account_id uuid,
  completed_by uuid,
  completed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint project_tasks_pkey PRIMARY KEY (id),
  constraint project_tasks_assignee_account_id_fkey FOREIGN KEY (assignee_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint project_tasks_completed_by_fkey FOREIGN KEY (completed_by) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint project_tasks_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

create table projects (
  id uuid default gen_random_uuid() not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint projects_pkey PRIMARY KEY (id)
);

create table public_template_count (
  only_row boolean default true not null,
  count bigint not null,
  constraint public_template_count_pkey PRIMARY KEY (only_row),
  constraint public_template_count_only_row_check CHECK (only_row)
);

create table rate_counts (
  name text not null,
  count integer not null,
  ends_at timestamp with time zone not null,
  constraint rate_counts_pkey PRIMARY KEY (name)
);

create table run_alerts (
  run_id text not null,
  reason text not null,
  account_id uuid not null,
  detail text not null,
  created_at timestamp with time zone default now() not null,
  constraint run_alerts_pkey PRIMARY KEY (run_id, reason),
  constraint run_alerts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint run_alerts_reason_check CHECK ((reason = ANY (ARRAY['not_charged'::text, 'forced_end'::text])))
);

create table run_attempts (
  run_id text not null,
  step integer not null,
  call_id text default ''::text not null,
  attempt integer not null,
  reason text not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone default now() not null,
  detail text,
  constraint run_attempts_pkey PRIMARY KEY (run_id, step, call_id, attempt),
  constraint run_attempts_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE
);

create table run_inputs (
  run_id text not null,
  messages json not null,
  skills json,
  constraint run_inputs_pkey PRIMARY KEY (run_id),
  constraint run_inputs_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE
);

create table run_steps (
  run_id text not null,
  step integer not null,
  attempt integer not null,
  finish_reason text not null,
  raw_finish_reason text,
  model_id text not null,
  usage json,
  cost_usd numeric,
  created_at timestamp with time zone default now() not null,
  prices json,
  started_at timestamp with time zone,
  goes_on boolean,
  first_output_ms integer,
  constraint run_steps_pkey PRIMARY KEY (run_id, step),
  constraint run_steps_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE
);

create table run_sub_agent_calls (
  run_id text not null,
  call_id text not null,
  tool_call_id text not null,
  step integer not null,
  tool_name text not null,
  input json not null,
  output json,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  holder bigint,
  attempt integer,
  first_attempt integer,
  constraint run_sub_agent_calls_pkey PRIMARY KEY (run_id, call_id),
  constraint run_sub_agent_calls_run_id_tool_call_id_step_fkey FOREIGN KEY (run_id, tool_call_id, step) REFERENCES run_sub_agent_steps(run_id, tool_call_id, step) ON DELETE CASCADE
);

create table run_sub_agent_entries (
  run_id text not null,
  tool_call_id text not null,
  step integer not null,
  call_id text default ''::text not null,
  name text not null,
  attempt integer,
  finish_reason text,
  usage json,
  cost_usd numeric,
  input text,
  output text,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint run_sub_agent_entries_pkey PRIMARY KEY (run_id, tool_call_id, step, call_id),
  constraint run_sub_agent_entries_run_id_tool_call_id_fkey FOREIGN KEY (run_id, tool_call_id) REFERENCES run_tool_calls(run_id, tool_call_id) ON DELETE CASCADE
);

create table run_sub_agent_steps (
  run_id text not null,
  tool_call_id text not null,
  step integer not null,
  attempt integer not null,
  failures integer default 0 not null,
  holder bigint,
  input_tokens integer not null,
  output_characters integer default 0 not null,
  finish_reason text,
  parts json,
  usage json,
  cost_usd numeric,
  prices json,
  opened_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  goes_on boolean,
  constraint run_sub_agent_steps_pkey PRIMARY KEY (run_id, tool_call_id, step),
  constraint run_sub_agent_steps_run_id_tool_call_id_fkey FOREIGN KEY (run_id, tool_call_id) REFERENCES run_sub_agents(run_id, tool_call_id) ON DELETE CASCADE
);

create table run_sub_agents (
  run_id text not null,
  tool_call_id text not null,
  model_id text not null,
  input_price numeric,
  output_price numeric,
  started_at timestamp with time zone default now() not null,
  constraint run_sub_agents_pkey PRIMARY KEY (run_id, tool_call_id),
  constraint run_sub_agents_run_id_tool_call_id_fkey FOREIGN KEY (run_id, tool_call_id) REFERENCES run_tool_calls(run_id, tool_call_id) ON DELETE CASCADE
);

create table run_tool_calls (
  run_id text not null,
  tool_call_id text not null,
  step integer not null,
  tool_name text not null,
  input json not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  holder bigint,
  activity_id text,
  attempt integer,
  first_attempt integer,
  approval text,
  approval_id text,
  approval_expires_at timestamp with time zone,
  constraint run_tool_calls_pkey PRIMARY KEY (run_id, tool_call_id),
  constraint run_tool_calls_approval_check CHECK ((approval = ANY (ARRAY['requested'::text, 'granted'::text, 'denied'::text]))),
  constraint run_tool_calls_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE
);

create table runs (
  id text not null,
  account_id uuid not null,
  session_id uuid not null,
  chat_id uuid not null,
  assistant_message_id text not null,
  status text default 'queued'::text not null,
  headless boolean default false not null,
  source text not null,
  model_id text not null,
  context_limit integer,
  input_price numeric,
  output_price numeric,
  end_reason text,
  error text,
  stop_requested_at timestamp with time zone,
  stop_delivered_at timestamp with time zone,
  engine_started_at timestamp with time zone,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  restarts integer default 0 not null,
  background_run_id text,
  inherited jsonb,
  placed_at timestamp with time zone,
  place_holder bigint,
  constraint runs_pkey PRIMARY KEY (id),
  constraint runs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint runs_background_run_id_fkey FOREIGN KEY (background_run_id) REFERENCES background_runs(id) ON DELETE SET NULL,
  constraint runs_source_check CHECK ((source = ANY (ARRAY['web'::text, 'api'::text]))),
  constraint runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);

create table sandbox_checkpoints (
  sandbox_name text not null,
  epoch integer not null,
  packs jsonb default '[]'::jsonb not null,
  taken_at timestamp with time zone,
  run_id text,
  step integer,
  is_too_large boolean default false not null,
  changed_at timestamp with time zone,
  constraint sandbox_checkpoints_pkey PRIMARY KEY (sandbox_name),
  constraint sandbox_checkpoints_sandbox_name_fkey FOREIGN KEY (sandbox_name) REFERENCES sandbox_places(sandbox_name) ON DELETE CASCADE
);

create table sandbox_packs (
  id text not null,
  sandbox_name text not null,
  created_at timestamp with time zone default now() not null,
  constraint sandbox_packs_pkey PRIMARY KEY (id)
);

create table sandbox_places (
  sandbox_name text not null,
  machine_id uuid not null,
  epoch integer default 1 not null,
  lost_at timestamp with time zone,
  constraint sandbox_places_pkey PRIMARY KEY (sandbox_name)
);

create table sandbox_removals (
  sandbox_name text not null,
  state jsonb not null,
  created_at timestamp with time zone default now() not null,
  due_at timestamp with time zone default now() not null,
  constraint sandbox_removals_pkey PRIMARY KEY (sandbox_name)
);

create table scraper_batches (
  run_id text not null,
  dataset_id text not null,
  account_id uuid not null,
  artist_id uuid,
  posts integer,
  credits bigint not null,
  state text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  waiting_since timestamp with time zone,
  constraint scraper_batches_pkey PRIMARY KEY (run_id),
  constraint scraper_batches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint scraper_batches_credits_check CHECK ((credits >= 0)),
  constraint scraper_batches_dataset_id_key UNIQUE (dataset_id),
  constraint scraper_batches_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'EXECUTING'::text, 'COMPLETED'::text, 'FAILED'::text])))
);

create table scraper_runs (
  run_id text not null,
  dataset_id text not null,
  batch_run_id text not null,
  "position" integer not null,
  social_id uuid,
  platform text not null,
  profile_url text not null,
  handle text not null,
  provider_run_id text,
  state text default 'QUEUED'::text not null,
  error text,
  new_post_urls jsonb default '[]'::jsonb not null,
  post_ids uuid[] default '{}'::uuid[] not null,
  asked_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint scraper_runs_pkey PRIMARY KEY (run_id),
  constraint scraper_runs_batch_run_id_fkey FOREIGN KEY (batch_run_id) REFERENCES scraper_batches(run_id) ON DELETE CASCADE,
  constraint scraper_runs_batch_run_id_position_key UNIQUE (batch_run_id, "position"),
  constraint scraper_runs_dataset_id_key UNIQUE (dataset_id),
  constraint scraper_runs_provider_run_id_key UNIQUE (provider_run_id),
  constraint scraper_runs_social_id_fkey FOREIGN KEY (social_id) REFERENCES socials(id) ON DELETE SET NULL,
  constraint scraper_runs_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'EXECUTING'::text, 'COMPLETED'::text, 'FAILED'::text])))
);

create table session_skills (
  session_id uuid not null,
  skills json not null,
  seen_at timestamp with time zone not null,
  changed_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint session_skills_pkey PRIMARY KEY (session_id),
  constraint session_skills_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);

create table sessions (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  organization_id uuid,
  artist_id uuid,
  title text not null,
  status text default 'running'::text not null,
  repo_owner text,
  repo_name text,
  branch text,
  clone_url text,
  is_new_branch boolean default false not null,
  global_skill_refs jsonb default '[]'::jsonb not null,
  sandbox_state jsonb,
  lifecycle_state text,
  lifecycle_version integer default 0 not null,
  lifecycle_run_id text,
  lifecycle_error text,
  last_activity_at timestamp with time zone,
  sandbox_started_at timestamp with time zone,
  sandbox_expires_at timestamp with time zone,
  hibernate_after timestamp with time zone,
  lines_added integer default 0,
  lines_removed integer default 0,
  snapshot_url text,
  snapshot_created_at timestamp with time zone,
  snapshot_size_bytes bigint,
  cached_diff jsonb,
  cached_diff_updated_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  diff_commit text,
  diff_run_id text,
  approvals jsonb,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint sessions_lifecycle_state_check CHECK ((lifecycle_state = ANY (ARRAY['provisioning'::text, 'active'::text, 'hibernating'::text, 'hibernated'::text, 'restoring'::text, 'archived'::text, 'failed'::text]))),
  constraint sessions_status_check CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text, 'archived'::text])))
);

create table sign_in_codes (
  code_hash text not null,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  nonce text,
  email text not null,
  expires_at timestamp with time zone not null,
  constraint sign_in_codes_pkey PRIMARY KEY (code_hash)
);

create table social_posts (
  social_id uuid not null,
  post_id uuid not null,
  published_at timestamp with time zone,
  constraint social_posts_pkey PRIMARY KEY (social_id, post_id),
  constraint social_posts_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE CASCADE,
  constraint social_posts_social_id_fkey FOREIGN KEY (social_id) REFERENCES socials(id) ON DELETE CASCADE
);

create table social_snapshots (
  social_id uuid not null,
  captured_on date not null,
  captured_at timestamp with time zone not null,
  follower_count bigint,
  following_count bigint,
  post_count bigint,
  constraint social_snapshots_pkey PRIMARY KEY (social_id, captured_on),
  constraint social_snapshots_follower_count_check CHECK ((follower_count >= 0)),
  constraint social_snapshots_following_count_check CHECK ((following_count >= 0)),
  constraint social_snapshots_post_count_check CHECK ((post_count >= 0)),
  constraint social_snapshots_social_id_fkey FOREIGN KEY (social_id) REFERENCES socials(id) ON DELETE CASCADE
);

create table socials (
  id uuid default gen_random_uuid() not null,
  profile_url text not null,
  type text not null,
  username text,
  avatar text,
  bio text,
  region text,
  follower_count bigint,
  following_count bigint,
  updated_at timestamp with time zone default now() not null,
  constraint socials_pkey PRIMARY KEY (id),
  constraint socials_follower_count_check CHECK ((follower_count >= 0)),
  constraint socials_following_count_check CHECK ((following_count >= 0)),
  constraint socials_profile_url_key UNIQUE (profile_url)
);

create table song_artists (
  isrc text not null,
  artist_id uuid not null,
  catalog_id uuid,
  constraint song_artists_artist_id_fkey FOREIGN KEY (artist_id) REFERENCES accounts(id) ON DELETE RESTRICT,
  constraint song_artists_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(id) ON DELETE CASCADE,
  constraint song_artists_isrc_artist_id_catalog_id_key UNIQUE NULLS NOT DISTINCT (isrc, artist_id, catalog_id),
  constraint song_artists_isrc_fkey FOREIGN KEY (isrc) REFERENCES songs(isrc) ON DELETE CASCADE
);

create table song_identifiers (
  isrc text not null,
  platform text not null,
  identifier_type text not null,
  value text not null,
  constraint song_identifiers_pkey PRIMARY KEY (isrc, platform, identifier_type, value),
  constraint song_identifiers_identifier_type_check CHECK ((identifier_type = ANY (ARRAY['track_id'::text, 'album_id'::text]))),
  constraint song_identifiers_isrc_fkey FOREIGN KEY (isrc) REFERENCES songs(isrc) ON DELETE CASCADE
);

create table song_measurements (
  id bigint generated always as identity not null,
  isrc text not null,
  platform text not null,
  metric text not null,
  value bigint not null,
  captured_at timestamp with time zone not null,
  data_source text not null,
  raw_ref text,
  snapshot_id uuid,
  constraint song_measurements_pkey PRIMARY KEY (id),
  constraint song_measurements_isrc_fkey FOREIGN KEY (isrc) REFERENCES songs(isrc) ON DELETE CASCADE,
  constraint song_measurements_isrc_platform_metric_captured_at_value_key UNIQUE (isrc, platform, metric, captured_at) INCLUDE (value),
  constraint song_measurements_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES playcount_snapshots(id) ON DELETE SET NULL,
  constraint song_measurements_value_check CHECK (((value >= 0) AND (value <= '1000000000000'::bigint)))
);

create table songs (
  isrc text not null,
  name text,
  album text,
  lyrics text,
  artwork_url text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint songs_pkey PRIMARY KEY (isrc)
);

create table stream_chunk (
  run_id text not null,
  seq integer not null,
  day date not null,
  body text not null,
  constraint stream_chunk_pkey PRIMARY KEY (run_id, seq, day)
) partition by RANGE (day);

create table stream_head (
  run_id text not null,
  day date not null,
  next_seq integer default 0 not null,
  folded_seq integer default 0 not null,
  fence bigint default '-1'::integer not null,
  state text default 'open'::text not null,
  open_step integer,
  step_seq integer default 0 not null,
  step_position integer default 0 not null,
  step_input_tokens integer default 0 not null,
  holder bigint,
  activity_id text,
  abandoned_reason text,
  failed_step integer,
  failures integer default 0 not null,
  step_opened_at timestamp with time zone,
  abandoned_at timestamp with time zone,
  retry_after_ms integer,
  abandoned_fault text,
  abandoned_detail text,
  batch integer default 0 not null,
  constraint stream_head_pkey PRIMARY KEY (run_id),
  constraint stream_head_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint stream_head_state_check CHECK ((state = ANY (ARRAY['open'::text, 'stopping'::text, 'done'::text])))
) with (fillfactor=70);

create table subscriptions (
  subscription_id text not null,
  account_id uuid,
  customer_id text not null,
  price_id text not null,
  plan text not null,
  status text not null,
  created_by text,
  amount_cents integer,
  currency text,
  "interval" text,
  period_start timestamp with time zone,
  period_end timestamp with time zone,
  cancel_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  read_at timestamp with time zone default now() not null,
  mirrored_account_id uuid,
  paid_by text[] default '{}'::text[] not null,
  trial_counts boolean default false not null,
  mirror_failures integer default 0 not null,
  mirror_after timestamp with time zone,
  constraint subscriptions_pkey PRIMARY KEY (subscription_id),
  constraint subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint subscriptions_plan_check CHECK ((plan = ANY (ARRAY['starter'::text, 'pro'::text])))
);

create table tasks (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  artist_account_id uuid not null,
  title text not null,
  prompt text not null,
  schedule text not null,
  timezone text default 'UTC'::text not null,
  enabled boolean default true,
  model text,
  trigger_schedule_id text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  approvals jsonb,
  constraint tasks_pkey PRIMARY KEY (id),
  constraint tasks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table trial_holders (
  plan text not null,
  holder text not null,
  subscription_id text not null,
  created_at timestamp with time zone default now() not null,
  constraint trial_holders_pkey PRIMARY KEY (plan, holder),
  constraint trial_holders_plan_check CHECK ((plan = ANY (ARRAY['starter'::text, 'pro'::text])))
);

create table trial_offers (
  account_id uuid not null,
  plan text not null,
  asked text not null,
  provider_key text not null,
  opened_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  constraint trial_offers_pkey PRIMARY KEY (account_id, plan),
  constraint trial_offers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint trial_offers_plan_check CHECK ((plan = ANY (ARRAY['starter'::text, 'pro'::text])))
);

create table turn_commits (
  run_id text not null,
  session_id uuid not null,
  state text not null,
  changed boolean default false not null,
  is_plain boolean default false not null,
  head text,
  branch text,
  staged_diff text,
  message text,
  commit_sha text,
  committed boolean default false not null,
  pushed boolean default false not null,
  base_commit text,
  source_base text,
  error text,
  settled_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  left_out jsonb,
  constraint turn_commits_pkey PRIMARY KEY (run_id),
  constraint turn_commits_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint turn_commits_state_check CHECK ((state = ANY (ARRAY['clean'::text, 'pending'::text, 'done'::text])))
);

create table unmatched_payments (
  event_id text not null,
  payment_ref text,
  customer_id text not null,
  received_at timestamp with time zone default now() not null,
  constraint unmatched_payments_pkey PRIMARY KEY (event_id)
);

create table upload_pieces (
  token_id text not null,
  part integer not null,
  received_bytes bigint,
  reserved_bytes bigint default 0 not null,
  requests integer default 1 not null,
  attempt uuid,
  holder bigint,
  expires_at timestamp with time zone,
  constraint upload_pieces_pkey PRIMARY KEY (token_id, part),
  constraint upload_pieces_attempt_key UNIQUE (attempt),
  constraint upload_pieces_check CHECK ((((attempt IS NULL) = (holder IS NULL)) AND ((attempt IS NULL) = (expires_at IS NULL)))),
  constraint upload_pieces_check1 CHECK (((attempt IS NOT NULL) OR (reserved_bytes = 0))),
  constraint upload_pieces_token_id_fkey FOREIGN KEY (token_id) REFERENCES uploads(token_id) ON DELETE CASCADE
);

create table uploads (
  token_id text not null,
  account_id uuid not null,
  pathname text not null,
  parts_id text,
  requests integer default 1 not null,
  etag text,
  stored_bytes bigint default 0 not null,
  begun_at timestamp with time zone default now() not null,
  constraint uploads_pkey PRIMARY KEY (token_id)
);

create table usage_events (
  reference text not null,
  account_id uuid not null,
  run_id text,
  source usage_source not null,
  agent_type text,
  provider text,
  model_id text,
  input_tokens integer default 0 not null,
  cached_input_tokens integer default 0 not null,
  output_tokens integer default 0 not null,
  tool_call_count integer default 0 not null,
  credits bigint not null,
  resource_url text,
  created_at timestamp with time zone default now() not null,
  constraint usage_events_pkey PRIMARY KEY (reference),
  constraint usage_events_reference_fkey FOREIGN KEY (reference) REFERENCES credit_ledger(reference)
);

create table worker_pulses (
  process_id bigint not null,
  beats bigint default 1 not null,
  constraint worker_pulses_pkey PRIMARY KEY (process_id)
) with (fillfactor=50);

create table workspace_repositories (
  owner_id uuid not null,
  repo_owner text not null,
  repo_name text not null,
  clone_url text not null,
  created_at timestamp with time zone default now() not null,
  constraint workspace_repositories_pkey PRIMARY KEY (owner_id),
  constraint workspace_repositories_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table audit_log_default partition of audit_log DEFAULT;
create table stream_chunk_default partition of stream_chunk DEFAULT;
CREATE INDEX account_api_keys_account ON account_api_keys USING btree (account_id, created_at DESC);
CREATE INDEX account_api_keys_expiring ON account_api_keys USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (run_id IS NULL));
CREATE INDEX account_api_keys_sign_in ON account_api_keys USING btree (sign_in_id) WHERE (sign_in_id IS NOT NULL);
CREATE UNIQUE INDEX account_api_keys_run ON account_api_keys USING btree (run_id) WHERE (run_id IS NOT NULL);
CREATE INDEX account_artist_ids_artist ON account_artist_ids USING btree (artist_id);
CREATE INDEX account_catalogs_catalog ON account_catalogs USING btree (catalog_id);
CREATE INDEX account_catalogs_latest ON account_catalogs USING btree (account_id, catalog_created_at DESC, catalog_id);
CREATE INDEX account_emails_account ON account_emails USING btree (account_id);
CREATE INDEX account_organization_ids_account ON account_organization_ids USING btree (account_id, state, created_at, id);
CREATE INDEX account_organization_ids_organization ON account_organization_ids USING btree (organization_id, created_at, id);
CREATE INDEX account_sandboxes_account ON account_sandboxes USING btree (account_id, created_at DESC, id);
CREATE INDEX account_socials_social ON account_socials USING btree (social_id, created_at, id);
CREATE INDEX accounts_kind ON accounts USING btree (kind);
CREATE INDEX accounts_made_by ON accounts USING btree (created_by, lower(name)) WHERE (created_by IS NOT NULL);
CREATE INDEX agent_template_favorites_account ON agent_template_favorites USING btree (account_id);
CREATE INDEX agent_template_shares_email ON agent_template_shares USING btree (email);
CREATE INDEX agent_templates_creator ON agent_templates USING btree (creator);
CREATE INDEX agent_templates_private ON agent_templates USING btree (creator, title COLLATE "und-x-icu", id) WHERE is_private;
CREATE INDEX agent_templates_public ON agent_templates USING btree (title COLLATE "und-x-icu", id) WHERE (NOT is_private);
CREATE INDEX artist_organization_ids_organization ON artist_organization_ids USING btree (organization_id);
CREATE INDEX artist_workspace_texts_artist ON artist_workspace_texts USING btree (artist_id, workspace_id);
CREATE INDEX background_runs_account ON background_runs USING btree (account_id, created_at DESC, id);
CREATE INDEX background_runs_failed ON background_runs USING btree (finished_at) WHERE (status = ANY (ARRAY['FAILED'::text, 'CRASHED'::text, 'SYSTEM_FAILURE'::text]));
CREATE INDEX background_runs_finished ON background_runs USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX background_runs_kind ON background_runs USING btree (account_id, task_identifier, created_at DESC, id DESC);
CREATE INDEX background_runs_live ON background_runs USING btree (created_at) WHERE (finished_at IS NULL);
CREATE INDEX background_runs_tags ON background_runs USING gin (tags jsonb_path_ops);
CREATE INDEX background_runs_task ON background_runs USING btree (task_id, created_at DESC) WHERE (task_id IS NOT NULL);
CREATE INDEX background_runs_unstarted ON background_runs USING btree (created_at) WHERE ((engine_started_at IS NULL) AND (finished_at IS NULL));
CREATE UNIQUE INDEX background_runs_concurrency ON background_runs USING btree (concurrency_key) WHERE ((concurrency_key IS NOT NULL) AND (finished_at IS NULL));
CREATE UNIQUE INDEX background_runs_fire ON background_runs USING btree (task_id, nominal_at) WHERE (nominal_at IS NOT NULL);
CREATE UNIQUE INDEX background_runs_idempotency ON background_runs USING btree (task_identifier, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX base_snapshots_clone_url_sandbox_type_created_at_idx ON base_snapshots USING btree (clone_url, sandbox_type, created_at DESC);
CREATE INDEX capture_chunks_open ON capture_chunks USING btree (snapshot_id) WHERE (outcome = 'open'::text);
CREATE INDEX catalog_songs_song ON catalog_songs USING btree (isrc);
CREATE INDEX catalog_valuations_latest ON catalog_valuations USING btree (catalog_id, measured_at DESC, id);
CREATE UNIQUE INDEX catalog_valuations_read ON catalog_valuations USING btree (catalog_id, measured_on) WHERE (source = 'read'::text);
CREATE INDEX catalogs_created ON catalogs USING btree (created_at, id);
CREATE INDEX chat_branches_chat ON chat_branches USING btree (chat_id, created_at, id);
CREATE INDEX chat_branches_parent ON chat_branches USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX chat_message_parts_tool_call ON chat_message_parts USING btree (chat_id, message_id, tool_call_id) WHERE (tool_call_id IS NOT NULL);
CREATE UNIQUE INDEX chat_messages_position ON chat_messages USING btree (chat_id, "position");
CREATE INDEX chat_platform_events_received ON chat_platform_events USING btree (received_at);
CREATE INDEX chat_platform_events_waiting ON chat_platform_events USING btree (event_id) WHERE (done_at IS NULL);
CREATE INDEX chat_posts_created ON chat_posts USING btree (created_at);
CREATE INDEX chat_posts_waiting ON chat_posts USING btree (thread_id, place) WHERE (state = 'waiting'::text);
CREATE INDEX chat_queue_chat ON chat_queue USING btree (chat_id, place);
CREATE INDEX chat_queue_ended ON chat_queue USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX chat_queue_waiting ON chat_queue USING btree (chat_id, message_id) WHERE (state = 'waiting'::text);
CREATE INDEX chat_shares_branch ON chat_shares USING btree (branch_id) WHERE (branch_id IS NOT NULL);
CREATE INDEX chat_shares_chat ON chat_shares USING btree (chat_id, created_at, id);
CREATE INDEX chat_summaries_chat ON chat_summaries USING btree (chat_id, created_at DESC);
CREATE INDEX chats_of_account ON chats USING btree (owner_account_id, updated_at DESC, id);
CREATE INDEX chats_session ON chats USING btree (session_id, created_at, id);
CREATE INDEX chats_streaming ON chats USING btree (active_stream_id) WHERE (active_stream_id IS NOT NULL);
CREATE INDEX connector_calls_account ON connector_calls USING btree (account_id);
CREATE INDEX connector_calls_created ON connector_calls USING btree (created_at);
CREATE INDEX connector_catalogs_fetched ON connector_catalogs USING btree (fetched_at);
CREATE INDEX connector_catalogs_subject ON connector_catalogs USING btree (subject_id);
CREATE INDEX connector_catalogs_workspace ON connector_catalogs USING btree (workspace_id);
CREATE INDEX connector_connections_replaced ON connector_connections USING btree (replaced_at) WHERE (replaced_at IS NOT NULL);
CREATE INDEX connector_connections_subject ON connector_connections USING btree (subject_id);
CREATE UNIQUE INDEX connector_connections_entity ON connector_connections USING btree (workspace_id, subject_id, toolkit) WHERE (replaced_at IS NULL);
CREATE INDEX connector_demo_connections_entity ON connector_demo_connections USING btree (workspace_id, subject_id);
CREATE INDEX connector_demo_connections_waiting ON connector_demo_connections USING btree (created_at) WHERE (NOT active);
CREATE INDEX connector_demo_items_entity ON connector_demo_items USING btree (workspace_id, subject_id, kind);
CREATE INDEX connector_demo_receipts_created ON connector_demo_receipts USING btree (created_at);
CREATE INDEX connector_files_expires ON connector_files USING btree (expires_at);
CREATE INDEX connector_grants_entity ON connector_grants USING btree (workspace_id, subject_id);
CREATE INDEX connector_grants_waiting ON connector_grants USING btree (created_at) WHERE (state = 'asked'::text);
CREATE INDEX connector_states_expires ON connector_states USING btree (expires_at);
CREATE INDEX connector_states_expiry ON connector_states USING btree (expires_at);
CREATE INDEX console_sign_ins_account ON console_sign_ins USING btree (account_id, created_at DESC, id);
CREATE INDEX console_sign_ins_expires ON console_sign_ins USING btree (expires_at);
CREATE INDEX content_runs_account ON content_runs USING btree (account_id, created_at DESC);
CREATE INDEX content_runs_live ON content_runs USING btree (run_id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX content_runs_request ON content_runs USING btree (provider_request_id text_pattern_ops) WHERE (state = 'running'::text);
CREATE INDEX content_threads_account ON content_threads USING btree (account_id);
CREATE INDEX content_threads_live ON content_threads USING btree (thread_id) WHERE (state = ANY (ARRAY['running'::text, 'posting'::text]));
CREATE INDEX credit_balances_auto_topup ON credit_balances USING btree (account_id) WHERE auto_topup_enabled;
CREATE INDEX credit_holds_account_id_expires_at_idx ON credit_holds USING btree (account_id, expires_at);
CREATE INDEX credit_ledger_account ON credit_ledger USING btree (account_id, id);
CREATE INDEX email_send_log_account_id_created_at_idx ON email_send_log USING btree (account_id, created_at DESC);
CREATE INDEX email_send_log_created ON email_send_log USING btree (created_at);
CREATE INDEX email_send_log_created_at_idx ON email_send_log USING btree (created_at) WHERE (status = 'queued'::text);
CREATE INDEX embedded_cards_customer_id_position_idx ON embedded_cards USING btree (customer_id, "position" DESC) WHERE (detached_at IS NULL);
CREATE INDEX embedded_chat_messages_created ON embedded_chat_messages USING btree (created_at);
CREATE INDEX embedded_chat_messages_thread ON embedded_chat_messages USING btree (thread_id, id);
CREATE INDEX embedded_payment_events_created_at_idx ON embedded_payment_events USING btree (created_at DESC);
CREATE INDEX embedded_payment_events_next_attempt_at_idx ON embedded_payment_events USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX embedded_payments_expr_created_at_idx ON embedded_payments USING btree (((metadata ->> 'intentId'::text)), created_at DESC);
CREATE INDEX embedded_renders_created_at_idx ON embedded_renders USING btree (created_at) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX embedded_renders_of_account ON embedded_renders USING btree (account_id) WHERE (state = 'running'::text);
CREATE INDEX embedded_renders_updated_at_idx ON embedded_renders USING btree (updated_at) WHERE (state = ANY (ARRAY['completed'::text, 'failed'::text]));
CREATE INDEX embedded_scraper_runs_created ON embedded_scraper_runs USING btree (created_at);
CREATE INDEX embedded_subscriptions_customer_id_idx ON embedded_subscriptions USING btree (customer_id);
CREATE INDEX embedded_subscriptions_next_charge_at_idx ON embedded_subscriptions USING btree (next_charge_at) WHERE (next_charge_at IS NOT NULL);
CREATE INDEX git_packs_garbage ON git_packs USING btree (state_at) WHERE (state <> 'live'::text);
CREATE INDEX git_packs_live ON git_packs USING btree (repository_id) WHERE (state = 'live'::text);
CREATE INDEX git_repositories_fragmented ON git_repositories USING btree (packs) WHERE (packs >= 16);
CREATE INDEX idempotency_keys_created ON idempotency_keys USING btree (created_at);
CREATE INDEX inbox_messages_received_at_id_idx ON inbox_messages USING btree (received_at DESC, id DESC);
CREATE INDEX inbox_messages_recipients_idx ON inbox_messages USING gin (recipients);
CREATE INDEX mail_outbox_due_at_idx ON mail_outbox USING btree (due_at);
CREATE INDEX mail_replies_chat ON mail_replies USING btree (chat_id, ended_at);
CREATE INDEX mail_replies_received ON mail_replies USING btree (id) WHERE (status = 'received'::text);
CREATE INDEX media_objects_account ON media_objects USING btree (account_id);
CREATE INDEX media_objects_unowned ON media_objects USING btree (key) WHERE (account_id IS NULL);
CREATE INDEX media_reservations_account ON media_reservations USING btree (account_id);
CREATE INDEX media_reservations_expires ON media_reservations USING btree (expires_at);
CREATE INDEX music_generations_account ON music_generations USING btree (account_id, created_at DESC, id DESC);
CREATE INDEX music_generations_live ON music_generations USING btree (id) WHERE (status = ANY (ARRAY['pending'::text, 'processing'::text]));
CREATE INDEX music_generations_request ON music_generations USING btree (provider_request_id text_pattern_ops) WHERE (status = 'processing'::text);
CREATE INDEX music_generations_status ON music_generations USING btree (account_id, status, created_at DESC, id DESC);
CREATE INDEX payment_events_received ON payment_events USING btree (received_at);
CREATE INDEX payment_intents_account_id_created_at_idx ON payment_intents USING btree (account_id, created_at DESC);
CREATE INDEX payment_intents_open ON payment_intents USING btree (created_at) WHERE (state = ANY (ARRAY['created'::text, 'pending'::text]));
CREATE INDEX payment_intents_request ON payment_intents USING btree (request_key) WHERE (request_key IS NOT NULL);
CREATE INDEX playcount_snapshots_account ON playcount_snapshots USING btree (account_id, created_at, id);
CREATE INDEX playcount_snapshots_albums ON playcount_snapshots USING btree (account_id, album_hash, created_at);
CREATE INDEX playcount_snapshots_artist ON playcount_snapshots USING btree (account_id, streaming_artist_id, created_at) WHERE (streaming_artist_id IS NOT NULL);
CREATE INDEX playcount_snapshots_catalog ON playcount_snapshots USING btree (catalog_id, created_at) WHERE (catalog_id IS NOT NULL);
CREATE INDEX playcount_snapshots_live ON playcount_snapshots USING btree (id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX posts_published ON posts USING btree (published_at, id);
CREATE INDEX project_collaborators_account ON project_collaborators USING btree (account_id, project_created_at DESC, project_id DESC);
CREATE INDEX project_collaborators_project ON project_collaborators USING btree (project_id, created_at, account_id);
CREATE INDEX project_task_comments_account ON project_task_comments USING btree (account_id);
CREATE INDEX project_task_comments_task ON project_task_comments USING btree (task_id, created_at, id);
CREATE INDEX project_tasks_assignee ON project_tasks USING btree (assignee_account_id) WHERE (assignee_account_id IS NOT NULL);
CREATE INDEX project_tasks_completed_by ON project_tasks USING btree (completed_by) WHERE (completed_by IS NOT NULL);
CREATE INDEX project_tasks_project ON project_tasks USING btree (project_id, created_at, id);
CREATE INDEX rate_counts_ends ON rate_counts USING btree (ends_at);
CREATE INDEX run_alerts_account ON run_alerts USING btree (account_id);
CREATE INDEX run_attempts_ended ON run_attempts USING brin (ended_at);
CREATE INDEX run_steps_created ON run_steps USING brin (created_at);
CREATE INDEX run_sub_agent_calls_held ON run_sub_agent_calls USING btree (holder) WHERE (holder IS NOT NULL);
CREATE INDEX run_sub_agent_calls_step ON run_sub_agent_calls USING btree (run_id, tool_call_id, step);
CREATE INDEX run_sub_agent_steps_held ON run_sub_agent_steps USING btree (holder) WHERE (holder IS NOT NULL);
CREATE INDEX run_tool_calls_asking ON run_tool_calls USING btree (approval_id) WHERE (approval = 'requested'::text);
CREATE INDEX run_tool_calls_expiring ON run_tool_calls USING btree (approval_expires_at) WHERE (approval = 'requested'::text);
CREATE INDEX run_tool_calls_held ON run_tool_calls USING btree (holder) WHERE (holder IS NOT NULL);
CREATE INDEX run_tool_calls_step ON run_tool_calls USING btree (run_id, step);
CREATE INDEX runs_account ON runs USING btree (account_id, created_at DESC, id DESC);
CREATE INDEX runs_awaiting_user ON runs USING btree (account_id, created_at DESC, id DESC) WHERE (end_reason = 'awaiting_user'::text);
CREATE INDEX runs_failed ON runs USING btree (ended_at) WHERE (status = 'failed'::text);
CREATE INDEX runs_live ON runs USING btree (created_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX runs_of_session ON runs USING btree (session_id, created_at);
CREATE INDEX runs_placed ON runs USING btree (place_holder, account_id) WHERE ((status = ANY (ARRAY['queued'::text, 'running'::text])) AND (place_holder IS NOT NULL));
CREATE INDEX runs_session ON runs USING btree (session_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX runs_stopping ON runs USING btree (stop_requested_at) WHERE ((stop_requested_at IS NOT NULL) AND (stop_delivered_at IS NULL) AND (status = ANY (ARRAY['queued'::text, 'running'::text])));
CREATE INDEX runs_unstarted ON runs USING btree (created_at) WHERE ((status = 'queued'::text) AND (engine_started_at IS NULL));
CREATE INDEX runs_waiting ON runs USING btree (account_id, created_at) WHERE ((status = 'queued'::text) AND headless AND (placed_at IS NULL) AND (engine_started_at IS NULL));
CREATE UNIQUE INDEX runs_background ON runs USING btree (background_run_id) WHERE (background_run_id IS NOT NULL);
CREATE UNIQUE INDEX runs_live_chat ON runs USING btree (chat_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX sandbox_packs_created ON sandbox_packs USING btree (created_at);
CREATE INDEX sandbox_removals_due ON sandbox_removals USING btree (due_at);
CREATE INDEX scraper_batches_account ON scraper_batches USING btree (account_id, created_at DESC);
CREATE INDEX scraper_batches_created ON scraper_batches USING btree (created_at);
CREATE INDEX scraper_batches_live ON scraper_batches USING btree (run_id) WHERE (state = ANY (ARRAY['QUEUED'::text, 'EXECUTING'::text]));
CREATE INDEX scraper_batches_waiting ON scraper_batches USING btree (waiting_since) WHERE (waiting_since IS NOT NULL);
CREATE INDEX scraper_runs_live ON scraper_runs USING btree (asked_at) WHERE ((asked_at IS NOT NULL) AND (finished_at IS NULL));
CREATE INDEX sessions_account ON sessions USING btree (account_id, created_at DESC, id);
CREATE INDEX sessions_archived ON sessions USING btree (account_id, created_at DESC, id) WHERE (status = 'archived'::text);
CREATE INDEX sessions_artist ON sessions USING btree (artist_id) WHERE (artist_id IS NOT NULL);
CREATE INDEX sessions_restoring ON sessions USING btree (updated_at) WHERE (lifecycle_state = 'restoring'::text);
CREATE INDEX sessions_stopping ON sessions USING btree (id) WHERE ((lifecycle_state = 'archived'::text) AND (sandbox_state ? 'expiresAt'::text));
CREATE INDEX sessions_title ON sessions USING btree (account_id, title text_pattern_ops);
CREATE INDEX sessions_watched ON sessions USING btree (sandbox_expires_at) WHERE (lifecycle_state = ANY (ARRAY['active'::text, 'hibernating'::text]));
CREATE INDEX sign_in_codes_expires ON sign_in_codes USING btree (expires_at);
CREATE INDEX social_posts_latest ON social_posts USING btree (social_id, published_at DESC, post_id);
CREATE INDEX social_posts_post ON social_posts USING btree (post_id);
CREATE INDEX song_artists_artist ON song_artists USING btree (artist_id, isrc);
CREATE INDEX song_artists_catalog ON song_artists USING btree (catalog_id) WHERE (catalog_id IS NOT NULL);
CREATE INDEX song_identifiers_value ON song_identifiers USING btree (platform, identifier_type, value, isrc);
CREATE INDEX song_measurements_snapshot ON song_measurements USING btree (snapshot_id, isrc) WHERE (snapshot_id IS NOT NULL);
CREATE INDEX stream_head_held ON stream_head USING btree (holder) WHERE (holder IS NOT NULL);
CREATE INDEX subscriptions_account_id_idx ON subscriptions USING btree (account_id);
CREATE INDEX subscriptions_customer ON subscriptions USING btree (customer_id);
CREATE INDEX subscriptions_unmirrored ON subscriptions USING btree (updated_at) WHERE ((account_id IS NOT NULL) AND (account_id IS DISTINCT FROM mirrored_account_id));
CREATE INDEX tasks_account ON tasks USING btree (account_id, created_at DESC, id);
CREATE INDEX tasks_artist ON tasks USING btree (artist_account_id);
CREATE INDEX tasks_enabled ON tasks USING btree (account_id, created_at, id) WHERE (enabled IS NOT FALSE);
CREATE INDEX turn_commits_session ON turn_commits USING btree (session_id, created_at DESC);
CREATE INDEX upload_pieces_reserved ON upload_pieces USING btree (holder) INCLUDE (reserved_bytes) WHERE (attempt IS NOT NULL);
CREATE INDEX uploads_begun ON uploads USING btree (begun_at);
CREATE INDEX uploads_of_account ON uploads USING btree (account_id, begun_at);
CREATE INDEX usage_events_account ON usage_events USING btree (account_id, created_at);
CREATE INDEX usage_events_cost ON usage_events USING btree (account_id, credits DESC);
CREATE INDEX usage_events_created ON usage_events USING brin (created_at);
CREATE INDEX usage_events_run ON usage_events USING btree (run_id) WHERE (run_id IS NOT NULL);
CREATE INDEX workspace_repositories_name ON workspace_repositories USING btree (repo_owner, repo_name);
CREATE TRIGGER account_api_keys_revoked AFTER DELETE ON account_api_keys FOR EACH ROW EXECUTE FUNCTION notify_access_revoked();
CREATE TRIGGER account_catalogs_time BEFORE INSERT ON account_catalogs FOR EACH ROW EXECUTE FUNCTION account_catalogs_take_time();
CREATE TRIGGER memberships_revoked AFTER DELETE OR UPDATE OF state, organization_id, account_id ON account_organization_ids FOR EACH ROW EXECUTE FUNCTION notify_access_revoked();
CREATE TRIGGER account_snapshots_delete AFTER DELETE ON account_snapshots FOR EACH ROW WHEN ((old.github_repo IS NOT NULL)) EXECUTE FUNCTION delete_source_repository();
CREATE TRIGGER accounts_touch BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER agent_template_favorites_count AFTER INSERT OR DELETE ON agent_template_favorites FOR EACH ROW EXECUTE FUNCTION count_template_favorite();
CREATE TRIGGER count_deleted_templates AFTER DELETE ON agent_templates REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_public_templates();
CREATE TRIGGER count_inserted_templates AFTER INSERT ON agent_templates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_public_templates();
CREATE TRIGGER count_updated_templates AFTER UPDATE ON agent_templates REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_public_templates();
CREATE TRIGGER artist_workspace_texts_touch BEFORE UPDATE ON artist_workspace_texts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER background_runs_touch BEFORE UPDATE ON background_runs FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER capture_chunks_touch BEFORE UPDATE ON capture_chunks FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER catalog_songs_touch BEFORE UPDATE ON catalog_songs FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER catalogs_touch BEFORE UPDATE ON catalogs FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER chat_messages_place BEFORE INSERT ON chat_messages FOR EACH ROW EXECUTE FUNCTION place_message();
CREATE TRIGGER chat_posts_touch BEFORE UPDATE ON chat_posts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER chats_owner BEFORE INSERT ON chats FOR EACH ROW EXECUTE FUNCTION chats_take_owner();
CREATE TRIGGER connector_connections_touch BEFORE UPDATE ON connector_connections FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER connector_grants_touch BEFORE UPDATE ON connector_grants FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER console_sign_ins_revoked AFTER DELETE ON console_sign_ins FOR EACH ROW EXECUTE FUNCTION notify_access_revoked();
CREATE TRIGGER content_runs_touch BEFORE UPDATE ON content_runs FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER content_threads_touch BEFORE UPDATE ON content_threads FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER credit_balances_auto_topup_amounts AFTER INSERT OR UPDATE OF auto_topup_enabled, auto_topup_cents, auto_topup_threshold_cents ON credit_balances FOR EACH ROW WHEN ((new.auto_topup_enabled AND ((new.auto_topup_cents IS NULL) OR (new.auto_topup_threshold_cents IS NULL)))) EXECUTE FUNCTION refuse_auto_topup();
CREATE TRIGGER credit_ledger_append_only BEFORE DELETE OR UPDATE ON credit_ledger FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_ledger_no_truncate BEFORE TRUNCATE ON credit_ledger FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER git_repositories_abandon AFTER DELETE ON git_repositories FOR EACH ROW EXECUTE FUNCTION abandon_packs();
CREATE TRIGGER music_generations_touch BEFORE UPDATE ON music_generations FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER payment_intents_touch BEFORE UPDATE ON payment_intents FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER playcount_snapshots_touch BEFORE UPDATE ON playcount_snapshots FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER posts_time AFTER UPDATE OF published_at ON posts FOR EACH ROW WHEN ((old.published_at IS DISTINCT FROM new.published_at)) EXECUTE FUNCTION posts_give_time();
CREATE TRIGGER project_tasks_touch BEFORE UPDATE ON project_tasks FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER run_tool_calls_changed_files AFTER UPDATE OF ended_at ON run_tool_calls FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL) AND (new.tool_name = ANY (ARRAY['bash'::text, 'write'::text, 'task'::text])))) EXECUTE FUNCTION note_ended_tool();
CREATE TRIGGER runs_changed_files AFTER UPDATE OF ended_at ON runs FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION note_interrupted_tools();
CREATE TRIGGER scraper_batches_touch BEFORE UPDATE ON scraper_batches FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER sessions_touch BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER social_posts_time BEFORE INSERT ON social_posts FOR EACH ROW EXECUTE FUNCTION social_posts_take_time();
CREATE TRIGGER socials_touch BEFORE UPDATE ON socials FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER songs_touch BEFORE UPDATE ON songs FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER subscriptions_touch BEFORE UPDATE ON subscriptions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER subscriptions_trial BEFORE INSERT OR UPDATE OF account_id, plan, status, paid_by ON subscriptions FOR EACH ROW EXECUTE FUNCTION settle_trial();
CREATE TRIGGER workspace_repositories_delete AFTER DELETE ON workspace_repositories FOR EACH ROW EXECUTE FUNCTION delete_workspace_repository();
