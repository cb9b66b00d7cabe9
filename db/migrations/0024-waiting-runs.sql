-- Turns that ended with a question or an approval, for the inbox of an account.
create index runs_awaiting_user on runs (account_id, created_at desc, id desc) where end_reason = 'awaiting_user';
