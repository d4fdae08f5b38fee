-- Who approves a snippet names the version he has read: one that was changed meanwhile is not approved unseen.
ALTER TABLE js_config
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  -- When it began to wait, for those who work through the queue.
  ADD COLUMN submitted_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX js_config_waiting ON js_config (submitted_at) WHERE approval = 'waiting';

-- What its owner calls a picture; at first the name of the file that was uploaded.
ALTER TABLE file ADD COLUMN title text NOT NULL DEFAULT '';
