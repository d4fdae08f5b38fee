-- What is known of a domain from outside: where its name points, and its certificate. It stands apart from `domain`, whose every change
-- concerns the visit path; a check does not.

CREATE TABLE domain_check (
  domain_id bigint PRIMARY KEY REFERENCES domain (id) ON DELETE CASCADE,
  dns_state text CHECK (dns_state IN ('here', 'partly', 'elsewhere', 'nothing', 'unknown', 'failed')),
  -- The records found: `{a, aaaa, cname, error}`.
  records jsonb,
  certificate_state text CHECK (certificate_state IN ('valid', 'expired', 'mismatch', 'untrusted', 'none')),
  -- `{issuer, subject, names, valid_from, address, error}`.
  certificate jsonb,
  certificate_expires_at timestamptz,
  checked_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX domain_check_due ON domain_check (due_at);
INSERT INTO domain_check (domain_id) SELECT id FROM domain;

-- A new domain, and one under a new name, is checked at once.
CREATE FUNCTION domain_check_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO domain_check (domain_id) VALUES (NEW.id)
  ON CONFLICT (domain_id) DO UPDATE SET dns_state = NULL, records = NULL, certificate_state = NULL, certificate = NULL,
    certificate_expires_at = NULL, checked_at = NULL, due_at = now();
  PERFORM pg_notify('livecode', '{"topic":"domain_check","payload":null}');
  RETURN NULL;
END $$;
CREATE TRIGGER domain_check_due_added AFTER INSERT ON domain FOR EACH ROW EXECUTE FUNCTION domain_check_due();
CREATE TRIGGER domain_check_due_renamed AFTER UPDATE OF host ON domain FOR EACH ROW WHEN (OLD.host <> NEW.host) EXECUTE FUNCTION domain_check_due();

-- Domains that a user may hold; null is what the site's setting says.
ALTER TABLE user_account ADD COLUMN domain_quota integer CHECK (domain_quota >= 0);

-- Codes on a domain are counted without those in the recycle bin, by the index alone.
CREATE INDEX live_code_entry_used ON live_code (entry_domain_id, removed);
CREATE INDEX live_code_landing_used ON live_code (landing_domain_id, removed);
DROP INDEX live_code_entry;
DROP INDEX live_code_landing;
