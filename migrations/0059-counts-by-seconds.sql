-- What counts by hour over all codes have of each ten seconds, of the last hours. It tells which visits of the hour that goes on a file of columns
-- has: whatever comes late changes it.
CREATE TABLE visit_site_slice (
  starts_at timestamptz NOT NULL,
  visits integer NOT NULL
);
CREATE INDEX visit_site_slice_starts_at_idx ON visit_site_slice (starts_at);
