-- How many visits of a slice that counts by code have kept no row, because the log of their code is off; unknown of those that an earlier
-- release counted. And which codes these are, by hour: of the others rows tell all that counts by hour know.
ALTER TABLE visit_site_slice ADD COLUMN unlogged integer;
CREATE TABLE visit_unlogged_code (
  hour timestamptz NOT NULL,
  live_code_id bigint NOT NULL
);
CREATE INDEX visit_unlogged_code_hour_live_code_id_idx ON visit_unlogged_code (hour, live_code_id);
