-- Whose turn is next in a queue that accounts share, as start-time fair queuing has it: a claim moves its account back by
-- 1 / weight, and an account that was away begins at the clock of the queue, so that it gains nothing by waiting.
create table fair_queues (
  queue text primary key,
  clock double precision not null
);
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

-- Notes a claim. Callers hold the lock of the queue: two claims at once would both move the clock from the same place.
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
