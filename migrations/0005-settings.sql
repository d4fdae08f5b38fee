-- Settings tell who changed them, and every process of what changed: one channel for the whole product, a topic in each message.

ALTER TABLE setting ADD COLUMN updated_by bigint;

CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('livecode', json_build_object('topic', TG_ARGV[0], 'payload', NULL)::text);
  RETURN NULL;
END $$;

CREATE TRIGGER setting_announced AFTER INSERT OR UPDATE OR DELETE ON setting FOR EACH STATEMENT EXECUTE FUNCTION announce('setting');
