-- Payments that name no intent of ours and come from a customer: of a subscription that has not told of itself yet, or of
-- nothing that we know.
create table unmatched_payments (
  event_id text primary key,
  payment_ref text,
  customer_id text not null,
  received_at timestamptz not null default now()
);
-- What the provider does not take is told to it at growing distances.
alter table subscriptions add column mirror_failures integer not null default 0;
alter table subscriptions add column mirror_after timestamptz;
