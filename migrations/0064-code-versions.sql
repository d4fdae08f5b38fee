-- What a code was after each of its changes. A design and the list of targets are stored once for all versions that share them.

CREATE TABLE live_code_version_part (
  live_code_id bigint NOT NULL REFERENCES live_code (id) ON DELETE CASCADE,
  hash bytea NOT NULL,
  content jsonb NOT NULL,
  PRIMARY KEY (live_code_id, hash)
);

CREATE TABLE live_code_version (
  live_code_id bigint NOT NULL REFERENCES live_code (id) ON DELETE CASCADE,
  -- `live_code.version` after the change.
  version integer NOT NULL,
  -- The same for all codes that one act changed.
  change_id uuid NOT NULL,
  action text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  -- Who, and the administrator who acted as him; nobody where a code is older than its history.
  user_id bigint,
  impersonator_id bigint,
  -- Whose the code was: a later owner is not shown what it was before.
  owner_id bigint NOT NULL,
  -- The fields of the code by their names.
  fields jsonb NOT NULL,
  -- What the ids in `fields` were called.
  names jsonb NOT NULL,
  targets bytea,
  design bytea,
  PRIMARY KEY (live_code_id, version)
);
CREATE INDEX live_code_version_change ON live_code_version (change_id);

-- Groups count their codes in use.
DROP INDEX live_code_group;
CREATE INDEX live_code_group ON live_code (group_id, removed, id) WHERE group_id IS NOT NULL;
DROP INDEX live_code_internal_group;
CREATE INDEX live_code_internal_group ON live_code (internal_group_id, removed, id) WHERE internal_group_id IS NOT NULL;
