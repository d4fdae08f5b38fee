-- What making short links needs beyond their rows.

-- The key that a platform wants, sealed by the vault as `platform:{id}`; it never leaves the server.
ALTER TABLE url_key_platform ADD COLUMN key bytea;

ALTER TABLE short_code
  -- Stands before the name of a wildcard short domain: `{label}.s.example.com`.
  ADD COLUMN label text CHECK (label ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  -- Made of the request that asked for the link: asking again finds it.
  ADD COLUMN request_key uuid UNIQUE;

-- Lists of a million: each order, and what customers see of their own.
CREATE INDEX short_code_short ON short_code (short, id);
CREATE INDEX short_code_expiry ON short_code (expires_at, id) WHERE expires_at IS NOT NULL;
CREATE INDEX short_code_shown ON short_code (owner_id, id) WHERE display = 1;
CREATE INDEX short_code_created ON short_code (created_at, id);
