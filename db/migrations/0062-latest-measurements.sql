-- The newest measurement of each song, so that what a catalog is worth does not take longer with every measurement that
-- was ever made. Written with the measurement, in one statement.
create table latest_measurements (
  isrc text not null references songs (isrc) on delete cascade,
  platform text not null,
  metric text not null,
  value bigint not null,
  captured_at timestamptz not null,
  primary key (isrc, platform, metric)
);
insert into latest_measurements (isrc, platform, metric, value, captured_at)
select distinct on (isrc, platform, metric) isrc, platform, metric, value, captured_at
from song_measurements order by isrc, platform, metric, captured_at desc;
