-- request_key: hash of the caller, the Idempotency-Key and the body. card_id: of the card that is or was charged; null
-- where there was none. looked_at: when the provider was last asked about an intent that nobody heard of again.
alter table payment_intents
  add column request_key text,
  add column card_id text,
  add column decline_code text,
  add column looked_at timestamptz;
create index payment_intents_request on payment_intents (request_key) where request_key is not null;
create index payment_intents_open on payment_intents (created_at) where state in ('created', 'pending');

-- card_read_at: when the reading began that default_card is of; what was read earlier never replaces it.
-- wanted_card_id: of the newest checkout that saved a card, and wanted_at when that checkout was made.
alter table payment_customers
  add column card_read_at timestamptz,
  add column wanted_card_id text,
  add column wanted_at timestamptz;

-- read_at: the same for the state of a subscription. mirrored_account_id: the owner that the provider was told of.
alter table subscriptions
  add column read_at timestamptz not null default now(),
  add column mirrored_account_id uuid;
create index subscriptions_customer on subscriptions (customer_id);
create index subscriptions_unmirrored on subscriptions (updated_at)
  where account_id is not null and account_id is distinct from mirrored_account_id;

create index credit_balances_auto_topup on credit_balances (account_id) where auto_topup_enabled;
