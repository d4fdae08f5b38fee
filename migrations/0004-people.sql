-- People: second factors, sessions that an administrator opened as somebody else, and what administration keeps of a user.

ALTER TABLE user_account
  ADD COLUMN remark text NOT NULL DEFAULT '',
  -- The language last chosen at login or registration; messages that wait for the user are written in it.
  ADD COLUMN language text,
  -- Millionths of USDT.
  ADD COLUMN balance bigint NOT NULL DEFAULT 0 CHECK (balance >= 0);

-- Superiors form trees. One lock for all changes: of two that would close a circle together, the second one sees the first.
CREATE FUNCTION superior_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.superior_id IS NULL THEN
    RETURN NEW;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('livecode superiors'));
  IF EXISTS (
    WITH RECURSIVE above AS (
      SELECT NEW.superior_id AS id
      UNION SELECT user_account.superior_id FROM user_account JOIN above ON user_account.id = above.id
    ) SELECT FROM above WHERE id = NEW.id
  ) THEN
    RAISE EXCEPTION 'user % would be his own superior', NEW.id USING ERRCODE = 'check_violation', CONSTRAINT = 'user_account_superior_circle';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER superior_changed BEFORE UPDATE OF superior_id ON user_account FOR EACH ROW
  WHEN (NEW.superior_id IS DISTINCT FROM OLD.superior_id) EXECUTE FUNCTION superior_changed();
ALTER TABLE user_account ADD CONSTRAINT user_account_superior_circle CHECK (superior_id <> id);

-- A session that an administrator opened as this user; it ends with the session it was opened from.
ALTER TABLE session ADD COLUMN impersonator_session_id bigint REFERENCES session (id) ON DELETE CASCADE;
CREATE INDEX session_impersonator ON session (impersonator_session_id) WHERE impersonator_session_id IS NOT NULL;

-- Who really made a change while acting as the user of the row.
ALTER TABLE log ADD COLUMN impersonator_id bigint;

CREATE TABLE second_factor (
  user_id bigint PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
  -- The confirmed key and the one that waits for its first code, both encrypted with the master key.
  secret bytea,
  pending_secret bytea,
  pending_at timestamptz,
  -- The 30-second step of the code used last: no code, and none before it, works again.
  last_step bigint NOT NULL DEFAULT 0,
  confirmed_at timestamptz,
  CHECK ((secret IS NULL) = (confirmed_at IS NULL)),
  CHECK ((pending_secret IS NULL) = (pending_at IS NULL))
);

-- Keyed hashes; a used one stays, so that the number left can be told.
CREATE TABLE recovery_code (
  user_id bigint NOT NULL REFERENCES second_factor (user_id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);
