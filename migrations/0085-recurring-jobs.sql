-- Work that comes round by the clock, claimed by workers as operations and deliveries are. Before, a job queue with a schema of its own
-- did this.
DROP SCHEMA IF EXISTS pgboss CASCADE;

CREATE TABLE recurring_job (
  name text PRIMARY KEY,
  every_minutes integer NOT NULL CHECK (every_minutes > 0),
  next_at timestamptz NOT NULL,
  -- Names one run, and until when nobody else may begin another one unless it is renewed.
  runner uuid,
  leased_until timestamptz,
  -- When the last run ended, and what it failed of.
  ran_at timestamptz,
  error text
);
