-- Whoever has the rule that everybody begins with is told of payments that are not read, too: only administrators have such events.
UPDATE push_rule SET events = events || '{payments.stalled,payments.resumed}'::text[], updated_at = now()
WHERE events = '{domain.blocked,domain.suspected,detector.failed,detection.blind,domain.unblocked,detection.restored}'::text[];

CREATE OR REPLACE FUNCTION give_pushes(users bigint[]) RETURNS void LANGUAGE sql AS $$
  WITH channel AS (
    INSERT INTO push_channel (owner_id, kind, receiver, confirmed_at) SELECT id, 'site', 'site'::bytea, now() FROM unnest(users) AS given (id)
    RETURNING id, owner_id
  ), rule AS (
    INSERT INTO push_rule (owner_id, events)
    SELECT id, '{domain.blocked,domain.suspected,detector.failed,detection.blind,domain.unblocked,detection.restored,payments.stalled,payments.resumed}'::text[]
    FROM unnest(users) AS given (id)
    RETURNING id, owner_id
  )
  INSERT INTO push_rule_channel (rule_id, channel_id) SELECT rule.id, channel.id FROM rule JOIN channel USING (owner_id)
$$;
