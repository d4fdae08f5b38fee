-- Wallets outside of the site from which administrators pay withdrawals: what leaves one pays the withdrawal that it fits.
ALTER TABLE pay_config ADD COLUMN payout_addresses text[] NOT NULL DEFAULT '{}';

CREATE TABLE usdt_payout (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fingerprint text NOT NULL,
  contract text NOT NULL,
  transaction_hash text NOT NULL,
  block bigint NOT NULL,
  at timestamptz NOT NULL,
  sender text NOT NULL,
  receiver text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  -- That it paid by itself; others may have been paid with it by administrators, who name its hash.
  withdrawal_id bigint REFERENCES withdrawal (id),
  CONSTRAINT usdt_payout_fingerprint_key UNIQUE (fingerprint)
);
CREATE INDEX usdt_payout_receiver_amount_idx ON usdt_payout (receiver, amount);
CREATE UNIQUE INDEX usdt_payout_withdrawal_id_key ON usdt_payout (withdrawal_id);
