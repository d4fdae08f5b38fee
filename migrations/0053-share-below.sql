-- The greatest ratio below the agent when the order was paid, of which his own was less: a share of less than a millionth has no row, so that
-- it cannot be told from the others. Basis points.
ALTER TABLE order_share ADD COLUMN below integer;
UPDATE order_share SET below = (
  SELECT coalesce(sum(lower.ratio), 0) FROM order_share AS lower WHERE lower.order_id = order_share.order_id AND lower.level < order_share.level
);
ALTER TABLE order_share
  ALTER COLUMN below SET NOT NULL,
  ADD CONSTRAINT order_share_below_ratio_check CHECK (below >= 0 AND below + ratio <= 10000);
