-- The next delivery is looked for webhook by webhook: one with a hundred thousand waiting costs the others nothing.
DROP INDEX webhook_delivery_due;
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, next_attempt_at, id) WHERE state = 'waiting';
CREATE INDEX webhook_all_users ON webhook (id) WHERE all_users;
