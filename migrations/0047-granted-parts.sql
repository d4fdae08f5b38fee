-- What of an order was paid with money that its buyer had as a gift: no shares are paid on that part. Of what was paid until now they were.
ALTER TABLE combo_order
  ADD COLUMN granted bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT combo_order_amount_granted_check CHECK (granted BETWEEN 0 AND amount);
