-- Money leaves the site again although the ledger was found wrong: who said so, and why. It holds as long as the same is found.
ALTER TABLE ledger_verification
  ADD COLUMN lifted_at timestamptz,
  ADD COLUMN lifted_by bigint REFERENCES user_account (id),
  ADD COLUMN lift_reason text NOT NULL DEFAULT '',
  ADD CONSTRAINT ledger_verification_lifted_at_lifted_by_check CHECK ((lifted_at IS NULL) = (lifted_by IS NULL));
