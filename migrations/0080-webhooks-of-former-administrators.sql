-- Whoever is no administrator any more is told nothing more of other users, nor shown what he was told of them.

CREATE FUNCTION forget_foreign_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM webhook_delivery USING webhook, event
  WHERE webhook.owner_id = NEW.id AND webhook_delivery.webhook_id = webhook.id AND event.id = webhook_delivery.event_id
    AND event.owner_id <> NEW.id
    AND NOT EXISTS (SELECT FROM role WHERE id = NEW.role_id AND kind IN ('super', 'administrator'));
  RETURN NULL;
END $$;
CREATE TRIGGER user_account_webhooks AFTER UPDATE OF role_id ON user_account
  FOR EACH ROW WHEN (OLD.role_id <> NEW.role_id) EXECUTE FUNCTION forget_foreign_deliveries();

DELETE FROM webhook_delivery USING webhook, event, user_account, role
WHERE webhook_delivery.webhook_id = webhook.id AND event.id = webhook_delivery.event_id AND event.owner_id <> webhook.owner_id
  AND user_account.id = webhook.owner_id AND role.id = user_account.role_id AND role.kind NOT IN ('super', 'administrator');
