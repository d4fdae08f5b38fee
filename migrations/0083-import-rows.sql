-- The rows of files that are imported, one a record: a dry run and an import read portions of them.

-- Files wait a day at the most, and are uploaded again.
DELETE FROM import_file;
ALTER TABLE import_file DROP COLUMN rows;
CREATE TABLE import_row (
  import_id uuid NOT NULL REFERENCES import_file (id) ON DELETE CASCADE,
  -- From 1, in the order of the file.
  number integer NOT NULL,
  -- An array of texts.
  texts jsonb NOT NULL,
  PRIMARY KEY (import_id, number)
);
