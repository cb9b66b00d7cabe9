-- Payments, subscriptions and trials, and the fair queues whose shares follow the plan.

-- The customer of an account at the payment provider, and its default card.
create table payment_customers (
  account_id uuid primary key references accounts (id) on delete cascade,
  customer_id text not null unique,
  default_card jsonb,
  updated_at timestamptz not null default now(),
  -- When the read of default_card began; an earlier read never replaces it.
  card_read_at timestamptz,
  -- The card saved by the newest checkout, and when that checkout was made.
  wanted_card_id text,
  wanted_at timestamptz
);

-- Top-ups: one row per purchase, from its creation to its credit.
create table payment_intents (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete restrict,
  purpose text not null check (purpose in ('topup', 'auto_topup')),
  credits bigint not null check (credits > 0),
  total_cents bigint not null check (total_cents > 0),
  path text not null check (path in ('card', 'checkout')),
  payment_id text unique,
  checkout_id text unique,
  state text not null default 'created' check (state in ('created', 'pending', 'paid', 'failed', 'mismatch')),
  success_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Hash of the caller, the Idempotency-Key and the body.
  request_key text,
  -- The charged card; null without one.
  card_id text,
  decline_code text,
  -- When the provider was last queried about an intent without an event.
  looked_at timestamptz
);
create index on payment_intents (account_id, created_at desc);
create index payment_intents_request on payment_intents (request_key) where request_key is not null;
create index payment_intents_open on payment_intents (created_at) where state in ('created', 'pending');
create trigger payment_intents_touch before update on payment_intents for each row execute function touch_updated_at();

-- Receipts of webhook events: each is applied once.
create table payment_events (
  event_id text primary key,
  type text not null,
  payment_ref text,
  received_at timestamptz not null default now()
);
create index payment_events_received on payment_events (received_at);

-- The application role adds payment events and cannot delete them; this function deletes old ones and always keeps 90
-- days.
create function delete_old_payment_events(before timestamptz) returns bigint
language sql security definer set search_path to pg_catalog, pg_temp as $$
  with gone as (
    delete from public.payment_events where received_at < least(before, now() - interval '90 days') returning 1
  )
  select count(*) from gone
$$;
revoke execute on function delete_old_payment_events from public;

-- Payments of a customer without a known intent: of a subscription whose event has not arrived, or unknown.
create table unmatched_payments (
  event_id text primary key,
  payment_ref text,
  customer_id text not null,
  received_at timestamptz not null default now()
);

-- Subscriptions as the payment provider last reported them.
create table subscriptions (
  subscription_id text primary key,
  account_id uuid references accounts (id) on delete set null,
  customer_id text not null,
  price_id text not null,
  plan text not null check (plan in ('starter', 'pro')),
  status text not null,
  created_by text,
  amount_cents integer,
  currency text,
  interval text,
  period_start timestamptz,
  period_end timestamptz,
  cancel_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When the read of this state began; an earlier read never replaces it.
  read_at timestamptz not null default now(),
  -- The owner that the provider has.
  mirrored_account_id uuid,
  -- Holders reported by the checkout and the card, beside the owner.
  paid_by text[] not null default '{}',
  trial_counts boolean not null default false,
  -- The owner is sent to the provider again with a growing delay.
  mirror_failures integer not null default 0,
  mirror_after timestamptz
);
create index on subscriptions (account_id);
create index subscriptions_customer on subscriptions (customer_id);
create index subscriptions_unmirrored on subscriptions (updated_at)
  where account_id is not null and account_id is distinct from mirrored_account_id;

-- Each owner, buyer, paying email and card has one trial of a plan. The first subscription claims their keys; a trial
-- counts while its subscription holds all of its keys.
create table trial_holders (
  plan text not null check (plan in ('starter', 'pro')),
  -- account:<id>, email:<address> or card:<fingerprint>
  holder text not null,
  subscription_id text not null,
  created_at timestamptz not null default now(),
  primary key (plan, holder)
);

-- The checkout that offers an account the trial of a plan: while it may be open, no other checkout offers it.
create table trial_offers (
  account_id uuid not null references accounts (id) on delete cascade,
  plan text not null check (plan in ('starter', 'pro')),
  -- Hash of the request of the checkout.
  request_hash text not null,
  -- The idempotency key at the provider, which opens the checkout once.
  provider_key text not null,
  opened_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (account_id, plan)
);

create function plan_rank(plan text) returns int language sql immutable as $$
  select array_position(array['starter', 'pro'], plan)
$$;

create function month_after(moment timestamptz) returns timestamptz language sql immutable as $$
  select (moment at time zone 'UTC' + interval '1 month') at time zone 'UTC'
$$;

create function grants_plan(status text, cancel_at timestamptz, trial_counts boolean) returns boolean
language sql immutable as $$
  select status = 'active' or (status = 'trialing' and cancel_at is null and trial_counts)
$$;

-- Allotments follow what an account pays for itself; limits also follow the best plan of its organizations.
create function plans_of(
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

create function holders_of(account uuid) returns text[] language sql stable as $$
  select array_agg('email:' || e.email) filter (where e.email is not null) || ('account:' || account)
  from (select 1) one left join account_emails e on e.account_id = account
$$;

-- Claims the free keys in a fixed order, so that concurrent claims wait for each other and never deadlock. A refused
-- trial releases its keys; a paid subscription keeps them, because its holders have had the plan.
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
create trigger subscriptions_touch before update on subscriptions for each row execute function touch_updated_at();
create trigger subscriptions_trial before insert or update of account_id, plan, status, paid_by on subscriptions
  for each row execute function settle_trial();

-- Start-time fair queuing between the accounts of a queue: a claim moves its account back by 1 / weight, and an account
-- without a row begins at the clock of the queue, so that waiting earns no credit.
create table fair_queues (
  queue text primary key,
  clock double precision not null
);

-- pass: when the next claim of the account is due.
create table fair_queue_accounts (
  queue text not null,
  account_id uuid not null,
  pass double precision not null,
  primary key (queue, account_id)
);

-- When the next claim of an account is due: the account with the smallest number is next.
create function fair_turn(in_queue text, of_account uuid) returns double precision
language sql stable as $$
  select greatest(
    (select clock from fair_queues where queue = in_queue),
    (select pass from fair_queue_accounts where queue = in_queue and account_id = of_account),
    0
  )
$$;

-- Records a claim. Callers hold the lock of the queue: two concurrent claims would move the clock from the same value.
create function take_fair_turn(in_queue text, of_account uuid, weight double precision) returns void
language plpgsql as $$
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
$$;

-- The share of an account in every queue, by its plan.
create function fair_weight(of_account uuid, enterprise_domains text[]) returns double precision
language sql stable as $$
  select coalesce(max(case plans.limits when 'pro' then 4 when 'starter' then 2 else 1 end), 1)::float8
  from plans_of(of_account, enterprise_domains) plans
$$;
