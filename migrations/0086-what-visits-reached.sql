-- What a visit reached stands under its own name: a short code is no live code, and a forward no target.

ALTER TABLE visit ADD COLUMN short_code_id bigint, ADD COLUMN forward_id bigint;
UPDATE visit SET short_code_id = live_code_id, live_code_id = NULL WHERE live_code_id IN (SELECT id FROM short_code_id);

-- 0 as `live_code_id` has it: a row counts visits of the one, of the other, or of neither.
ALTER TABLE visit_hour ADD COLUMN short_code_id bigint NOT NULL DEFAULT 0;
UPDATE visit_hour SET short_code_id = live_code_id, live_code_id = 0 WHERE live_code_id IN (SELECT id FROM short_code_id);
CREATE INDEX visit_hour_short_code ON visit_hour (short_code_id, hour) WHERE short_code_id > 0;

-- Places and devices are told of live codes only.
DELETE FROM visit_hour_place WHERE live_code_id IN (SELECT id FROM short_code_id);
DELETE FROM visit_hour_device WHERE live_code_id IN (SELECT id FROM short_code_id);

-- As `visitor` is for live codes.
CREATE TABLE short_code_visitor (
  short_code_id bigint NOT NULL,
  ip inet NOT NULL,
  day date NOT NULL,
  visits integer NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  place_id integer NOT NULL,
  agent_id integer NOT NULL,
  PRIMARY KEY (short_code_id, ip, day)
) WITH (fillfactor = 85);
CREATE INDEX short_code_visitor_ip_first_at ON short_code_visitor (ip, first_at);
WITH moved AS (DELETE FROM visitor WHERE live_code_id IN (SELECT id FROM short_code_id) RETURNING *)
INSERT INTO short_code_visitor (short_code_id, ip, day, visits, first_at, last_at, place_id, agent_id)
SELECT live_code_id, ip, day, visits, first_at, last_at, place_id, agent_id FROM moved;

CREATE TABLE short_code_total (
  short_code_id bigint PRIMARY KEY,
  visits bigint NOT NULL,
  ips bigint NOT NULL
) WITH (fillfactor = 70);
WITH moved AS (DELETE FROM live_code_total WHERE live_code_id IN (SELECT id FROM short_code_id) RETURNING *)
INSERT INTO short_code_total (short_code_id, visits, ips) SELECT live_code_id, visits, ips FROM moved;

ALTER TABLE visit_source ADD COLUMN short_code_id bigint;
UPDATE visit_source SET short_code_id = live_code_id, live_code_id = NULL WHERE live_code_id IN (SELECT id FROM short_code_id);
ALTER TABLE visit_source DROP CONSTRAINT visit_source_key;
ALTER TABLE visit_source ADD CONSTRAINT visit_source_key UNIQUE NULLS NOT DISTINCT (kind, owner_id, host, live_code_id, short_code_id, ip);

-- It told rows of short codes from those of live codes.
DROP TRIGGER short_code_named ON short_code;
DROP FUNCTION short_code_named();
DROP TABLE short_code_id;
