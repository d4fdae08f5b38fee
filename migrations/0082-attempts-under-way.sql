-- Of the attempts counted, those whose check has not ended: they may still turn out right, so that others wait for them.
ALTER TABLE attempt ADD COLUMN in_flight integer NOT NULL DEFAULT 0;
