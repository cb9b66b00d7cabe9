-- Beats of the workers that advance turns at present. A row whose count stands still belongs to a stalled worker. Lost in a
-- crash of Postgres without harm: each busy worker inserts its row again within a second.
create unlogged table worker_pulses (
  process_id bigint primary key,
  beats bigint not null default 1
) with (fillfactor = 50);
