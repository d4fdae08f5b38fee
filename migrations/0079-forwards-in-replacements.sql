-- Forwards that moved along when their domain was replaced, so that they go back with it.

ALTER TABLE domain_replacement ADD COLUMN forwards integer NOT NULL DEFAULT 0;

CREATE TABLE domain_replacement_forward (
  replacement_id bigint NOT NULL REFERENCES domain_replacement (id) ON DELETE CASCADE,
  forward_id bigint NOT NULL,
  PRIMARY KEY (replacement_id, forward_id)
);
