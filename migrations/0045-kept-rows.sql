-- What owners chose to keep whole while they have more than their quota; the rest is theirs again once the quota allows it.

CREATE TABLE kept_row (
  owner_id bigint NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('live_codes', 'monitors')),
  -- Of `live_code` or `domain_monitor`. Ids are given once, so that what outlives its row says nothing of another.
  row_id bigint NOT NULL,
  PRIMARY KEY (owner_id, kind, row_id)
);

-- Beyond its owner's quota: not checked until it is within it again.
ALTER TABLE domain_monitor ADD COLUMN over_quota boolean NOT NULL DEFAULT false;
DROP INDEX domain_monitor_due_at_idx;
CREATE INDEX domain_monitor_due_at_idx ON domain_monitor (due_at) WHERE NOT paused AND enabled AND NOT over_quota;
