-- Rollups are deltas: any number of rows may stand for one key, readers sum them, a job merges those of closed hours.
-- A row counts visits of a live code, of a short code, or of neither; the id of what it does not count is 0.
CREATE TABLE visit_hour (
  live_code_id bigint NOT NULL,
  short_code_id bigint NOT NULL DEFAULT 0,
  hour timestamptz NOT NULL,
  outcome smallint NOT NULL,
  visits integer NOT NULL,
  ips integer NOT NULL,
  new_ips integer NOT NULL
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- All that is read of a code stands together in the index; the rows themselves lie as visits came.
CREATE INDEX visit_hour_live_code_id_hour_idx ON visit_hour (live_code_id, hour) INCLUDE (outcome, visits, ips, new_ips);
CREATE INDEX visit_hour_short_code_id_hour_idx ON visit_hour (short_code_id, hour) WHERE short_code_id > 0;
CREATE INDEX visit_hour_hour_idx ON visit_hour USING brin (hour);

-- Place and device of visits of live codes are counted together, so that questions over both need no rows.
CREATE TABLE visit_hour_origin (
  live_code_id bigint NOT NULL,
  hour timestamptz NOT NULL,
  place_id integer NOT NULL,
  device_id integer NOT NULL,
  visits integer NOT NULL
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX visit_hour_origin_live_code_id_hour_idx ON visit_hour_origin (live_code_id, hour) INCLUDE (place_id, device_id, visits);

-- A row may have either visits or presses: long presses of a target's picture, what a visitor meant to do, not only saw.
CREATE TABLE visit_hour_target (
  target_id bigint NOT NULL,
  hour timestamptz NOT NULL,
  visits integer NOT NULL DEFAULT 0,
  presses integer NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX visit_hour_target_target_id_hour_idx ON visit_hour_target (target_id, hour) INCLUDE (visits, presses);

-- The same over all codes, also of visits that reached none or one that is deleted by now; but not what passed a short code.
CREATE TABLE visit_site_hour (
  hour timestamptz NOT NULL,
  outcome smallint NOT NULL,
  visits integer NOT NULL,
  ips integer NOT NULL,
  new_ips integer NOT NULL
);
CREATE INDEX visit_site_hour_hour_idx ON visit_site_hour (hour);

CREATE TABLE visit_site_place (
  hour timestamptz NOT NULL,
  place_id integer NOT NULL,
  visits integer NOT NULL
);
CREATE INDEX visit_site_place_hour_idx ON visit_site_place (hour);

CREATE TABLE visit_site_device (
  hour timestamptz NOT NULL,
  device_id integer NOT NULL,
  visits integer NOT NULL
);
CREATE INDEX visit_site_device_hour_idx ON visit_site_device (hour);

-- Most questions are about whole days, of which there are few. A day begins when the site's does.
CREATE TABLE visit_day_place (
  day timestamptz NOT NULL,
  place_id integer NOT NULL,
  visits integer NOT NULL
);
CREATE INDEX visit_day_place_day_idx ON visit_day_place (day);

CREATE TABLE visit_day_device (
  day timestamptz NOT NULL,
  device_id integer NOT NULL,
  visits integer NOT NULL
);
CREATE INDEX visit_day_device_day_idx ON visit_day_device (day);

-- Totals of all time, for lists that sort by them. Every batch of visits writes here, so that there is no more than an order needs.
CREATE TABLE live_code_total (
  live_code_id bigint PRIMARY KEY,
  visits bigint NOT NULL,
  ips bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX live_code_total_visits_live_code_id_idx ON live_code_total (visits, live_code_id);
CREATE INDEX live_code_total_ips_live_code_id_idx ON live_code_total (ips, live_code_id);

CREATE TABLE short_code_total (
  short_code_id bigint PRIMARY KEY,
  visits bigint NOT NULL,
  ips bigint NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE target_total (
  target_id bigint PRIMARY KEY,
  visits bigint NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE target_press_total (
  target_id bigint PRIMARY KEY,
  presses bigint NOT NULL
) WITH (fillfactor = 70);
