-- What each host tells of itself every few seconds, for a day, and what of it is beyond the thresholds.

CREATE TABLE host_sample (
  host text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  -- As `sampleOf` (src/server/monitor/samples.ts) makes it of the metrics: counters since each process began, and what is at this moment.
  sample jsonb NOT NULL,
  PRIMARY KEY (host, at)
);
CREATE INDEX host_sample_at_idx ON host_sample (at);

CREATE TABLE host_alarm (
  host text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('away', 'silent', 'slow_visits', 'unloaded', 'memory', 'disk')),
  since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (host, kind)
);
