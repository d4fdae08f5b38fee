-- What the share ratio of a user was, and what it became. Basis points; the user sees his own.
CREATE TABLE share_ratio_change (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  before integer NOT NULL CHECK (before BETWEEN 0 AND 10000),
  after integer NOT NULL CHECK (after BETWEEN 0 AND 10000),
  at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT share_ratio_change_before_after_check CHECK (before <> after)
);
CREATE INDEX share_ratio_change_user_id_id_idx ON share_ratio_change (user_id, id DESC);
