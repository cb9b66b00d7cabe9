-- Recipients that the mail server rejected while it accepted the others, and why a mail was not sent: the reply code of
-- the server, or the kind of the fault.
alter table email_send_log add column refused text[] not null default '{}', add column failure text;
