-- One trial of a plan for whoever is behind it: the account that owns it, who bought it, the email and the card that
-- pay. The first subscription takes their keys; a trial counts while all of its keys are its own.
create table trial_holders (
  plan text not null check (plan in ('starter', 'pro')),
  -- account:<id>, email:<address> or card:<fingerprint>
  holder text not null,
  subscription_id text not null,
  created_at timestamptz not null default now(),
  primary key (plan, holder)
);

-- paid_by: the holders that the checkout and the card tell of, beside the owner.
alter table subscriptions
  add column paid_by text[] not null default '{}',
  add column trial_counts boolean not null default false;

-- Until when the last refill lasts: no other one comes before, whichever subscription asks for it.
alter table credit_balances add column refilled_until timestamptz;

create function holders_of(account uuid) returns text[] language sql stable as $$
  select array_agg('email:' || e.email) filter (where e.email is not null) || ('account:' || account)
  from (select 1) one left join account_emails e on e.account_id = account
$$;

-- Takes what is free, in one order, so that two that want the same wait and never lock each other out. A trial that is
-- refused leaves nothing taken; what is paid for keeps it, because whoever had the plan has had its trial.
create function claim_trial(wanted text, holders text[], subscription text, is_trial boolean) returns boolean
language plpgsql as $$
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
end $$;

create function settle_trial() returns trigger language plpgsql as $$
begin
  new.trial_counts := new.account_id is not null and new.status in ('trialing', 'active') and claim_trial(
    new.plan, new.paid_by || holders_of(new.account_id), new.subscription_id, new.status = 'trialing'
  );
  return new;
end $$;

-- Of several that an account has at once, the trial that runs keeps its plan.
insert into trial_holders (plan, holder, subscription_id)
select distinct on (s.plan, h) s.plan, h, s.subscription_id
from subscriptions s cross join unnest(holders_of(s.account_id)) h
where s.account_id is not null
order by s.plan, h, s.status = 'trialing' desc, s.created_at
on conflict do nothing;
update subscriptions s set trial_counts = not exists (
  select 1 from trial_holders t
  where t.plan = s.plan and t.holder = any (holders_of(s.account_id)) and t.subscription_id <> s.subscription_id
)
where s.account_id is not null and s.status in ('trialing', 'active');

create trigger subscriptions_trial before insert or update of account_id, plan, status, paid_by on subscriptions
  for each row execute function settle_trial();

create function month_after(moment timestamptz) returns timestamptz language sql immutable as $$
  select (moment at time zone 'UTC' + interval '1 month') at time zone 'UTC'
$$;

create function grants_plan(status text, cancel_at timestamptz, trial_counts boolean) returns boolean
language sql immutable as $$
  select status = 'active' or (status = 'trialing' and cancel_at is null and trial_counts)
$$;

create or replace function plans_of(
  account uuid, enterprise_domains text[],
  out kind text, out own text, out limits text, out period_start timestamptz
) language sql stable as $$
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
$$;

-- A period refills when it begins after the last refill and not before that one has run out: a second subscription
-- beside the first, or in its place, waits for its turn. A trial is refilled once, however long it lasts.
drop function due_refill;
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
drop function is_active;

create or replace function cover_by_refill(
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

update credit_balances b set refilled_until = (
  select max(case when s.status = 'trialing' then s.period_end
    else least(s.period_end, month_after(b.refilled_at)) end)
  from subscriptions s
  where s.account_id = b.account_id and s.status in ('active', 'trialing') and s.period_start <= b.refilled_at
);
