-- How an order that an administrator marks was paid: by a payment on the chain that was verified, by money received another way, or as a
-- gift. `site` are older ones, of which nobody said.
ALTER TABLE combo_order DROP CONSTRAINT combo_order_paid_from_check;
ALTER TABLE combo_order ADD CONSTRAINT combo_order_paid_from_check CHECK (paid_from IN ('balance', 'site', 'chain', 'payment', 'gift'));
-- A payment on the chain pays one order; after a refund, when it is on the balance again, it may pay another.
CREATE UNIQUE INDEX combo_order_transaction_hash_key ON combo_order (transaction_hash) WHERE paid_from = 'chain' AND state = 'paid';
