-- Why a share may be its agent's own money coming back: he and the buyer share an address, a device or a wallet. Such a share is held until an
-- administrator has looked at it.
ALTER TABLE order_share
  ADD COLUMN flags text[] NOT NULL DEFAULT '{}' CHECK (flags <@ ARRAY['address', 'device', 'wallet']),
  ADD COLUMN reviewed_at timestamptz,
  ADD COLUMN reviewed_by bigint REFERENCES user_account (id),
  -- What its agent is told.
  ADD COLUMN review_reason text NOT NULL DEFAULT '',
  ADD CONSTRAINT order_share_reviewed_at_reviewed_by_check CHECK ((reviewed_at IS NULL) = (reviewed_by IS NULL));
CREATE INDEX order_share_id_reviewing_idx ON order_share (id) WHERE state = 'held' AND flags <> '{}' AND reviewed_at IS NULL;
