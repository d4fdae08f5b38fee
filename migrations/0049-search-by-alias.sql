-- A search finds a live code by its aliases, too: their characters stand among the words of the code.

CREATE FUNCTION live_code_aliases(given bigint) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(E'\n' || key, '' ORDER BY id), '') FROM live_code_key WHERE live_code_id = given AND NOT own
$$;

CREATE OR REPLACE FUNCTION live_code_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO live_code_search SELECT id, live_code_words(owner_id, name, file_name, remark) FROM after_rows;
  ELSE
    EXECUTE 'UPDATE live_code_search SET grams = live_code_words(given.owner_id, given.name, given.file_name, given.remark || live_code_aliases(given.id))
    FROM after_rows AS given JOIN before_rows AS present ON present.id = given.id
    WHERE live_code_search.live_code_id = given.id
      AND (present.owner_id, present.name, present.file_name, present.remark) IS DISTINCT FROM (given.owner_id, given.name, given.file_name, given.remark)';
  END IF;
  RETURN NULL;
END $$;

-- Planned anew each time, as above. A code that is deleted takes its keys along, and has no words any more.
CREATE FUNCTION live_code_alias_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed_rows WHERE NOT own) THEN
    EXECUTE 'UPDATE live_code_search SET grams = live_code_words(code.owner_id, code.name, code.file_name, code.remark || live_code_aliases(code.id))
    FROM live_code AS code WHERE code.id = live_code_search.live_code_id
      AND code.id IN (SELECT live_code_id FROM changed_rows WHERE NOT own)';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER live_code_alias_words_added AFTER INSERT ON live_code_key REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION live_code_alias_words_changed();
CREATE TRIGGER live_code_alias_words_removed AFTER DELETE ON live_code_key REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION live_code_alias_words_changed();

UPDATE live_code_search SET grams = live_code_words(code.owner_id, code.name, code.file_name, code.remark || live_code_aliases(code.id))
FROM live_code AS code WHERE code.id = live_code_search.live_code_id AND code.id IN (SELECT live_code_id FROM live_code_key WHERE NOT own);

-- The key of a live code that a path names, as the visit path reads it; empty where it names none.
CREATE FUNCTION visit_path_key(path text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN path ~ '^/[A-Za-z0-9_-]{4,32}/?$' THEN lower(trim(BOTH '/' FROM path)) ELSE '' END
$$;
-- Visits are searched by it: the few spellings of a key among all texts that visits have.
CREATE INDEX visit_text_text_key_idx ON visit_text (visit_path_key(text)) WHERE visit_path_key(text) <> '';
