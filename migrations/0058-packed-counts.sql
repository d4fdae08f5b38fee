-- Counts by hour of days that are over, one row for a code and a day, later for a code and a month (UTC). Each column of many is an array: what
-- stands at the same place of all of them is one count, and `quarter` its hour, in quarters of an hour since the row's start. As of counts by
-- hour any number of rows may stand for one key. A count by hour takes ten times as much room: its row and its index are mostly keys.
CREATE TABLE visit_hour_packed (
  live_code_id bigint NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  quarter smallint[] NOT NULL,
  outcome smallint[] NOT NULL,
  visits integer[] NOT NULL,
  ips integer[] NOT NULL,
  new_ips integer[] NOT NULL,
  PRIMARY KEY (live_code_id, ends_at, starts_at)
);
-- What is asked of all codes reads the rows of its days: mostly those that ended last, of which none is packed.
CREATE INDEX visit_hour_packed_ends_at_idx ON visit_hour_packed (ends_at);
-- Days that are still to become months.
CREATE INDEX visit_hour_packed_starts_at_day_idx ON visit_hour_packed (starts_at) WHERE ends_at - starts_at <= interval '1 day';

CREATE TABLE visit_hour_origin_packed (
  live_code_id bigint NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  quarter smallint[] NOT NULL,
  place_id integer[] NOT NULL,
  device_id integer[] NOT NULL,
  visits integer[] NOT NULL,
  PRIMARY KEY (live_code_id, ends_at, starts_at)
);
CREATE INDEX visit_hour_origin_packed_ends_at_idx ON visit_hour_origin_packed (ends_at);
CREATE INDEX visit_hour_origin_packed_starts_at_day_idx ON visit_hour_origin_packed (starts_at) WHERE ends_at - starts_at <= interval '1 day';

CREATE TABLE visit_hour_target_packed (
  live_code_id bigint NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  quarter smallint[] NOT NULL,
  target_id bigint[] NOT NULL,
  visits integer[] NOT NULL,
  presses integer[] NOT NULL,
  PRIMARY KEY (live_code_id, ends_at, starts_at)
);
CREATE INDEX visit_hour_target_packed_ends_at_idx ON visit_hour_target_packed (ends_at);
CREATE INDEX visit_hour_target_packed_starts_at_day_idx ON visit_hour_target_packed (starts_at) WHERE ends_at - starts_at <= interval '1 day';
