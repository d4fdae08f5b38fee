-- Until when names are registered, as their registries say by RDAP. Domains below one registered name share its row, and one question a day.
CREATE TABLE domain_registration (
  -- The registered name, punycode: `example.co.uk`.
  name text PRIMARY KEY,
  -- As it was named last; null: never. It stays where later questions fail.
  expires_at timestamptz,
  -- When it was named last.
  found_at timestamptz,
  -- When the registry was asked last, and why it named none then.
  asked_at timestamptz,
  fault text CHECK (fault IN ('not_found', 'no_date', 'limited', 'unreachable', 'unreadable')),
  due_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX domain_registration_due_at_idx ON domain_registration (due_at);

ALTER TABLE domain_check
  -- The registered name that the domain stands below; null: not looked at yet, empty: it has none.
  ADD COLUMN registered_name text,
  -- Typed by hand, for names of which no registry tells, and when that was.
  ADD COLUMN registration_typed timestamptz,
  ADD COLUMN registration_typed_at timestamptz,
  -- For which expiry, and how many days before it, somebody was told of it.
  ADD COLUMN registration_told_expiry timestamptz,
  ADD COLUMN registration_told_days smallint;
CREATE INDEX domain_check_registered_name_idx ON domain_check (registered_name);

-- A domain under a new name stands below another registered one. What was typed is settled by who renames it.
CREATE OR REPLACE FUNCTION domain_check_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO domain_check (domain_id) VALUES (NEW.id)
  ON CONFLICT (domain_id) DO UPDATE SET dns_state = NULL, records = NULL, certificate_state = NULL, certificate = NULL,
    certificate_expires_at = NULL, checked_at = NULL, due_at = now(), registered_name = NULL;
  PERFORM pg_notify('livecode', '{"topic":"domain_check","payload":null}');
  RETURN NULL;
END $$;

-- The job is called pushes.expiries now; what nobody runs would count as late.
DELETE FROM recurring_job WHERE name = 'pushes.certificates';
