-- Lists of a million codes: what each sort and filter is served from, what a search finds, and the look of a thumbnail without its logo.

-- A design may hold a whole picture; lists show the code without it.
ALTER TABLE live_code ADD COLUMN qr_look jsonb GENERATED ALWAYS AS (
  CASE WHEN octet_length((qr_design - 'logo')::text) <= 4000 THEN qr_design - 'logo' END
) STORED;

-- The list's own order with every filter at hand: one that few rows pass is answered from the index alone.
DROP INDEX live_code_created;
CREATE INDEX live_code_created ON live_code (created_at, id)
  INCLUDE (owner_id, open, open_log, rotation_mode, access_mode, restriction_visit, entry_domain_id, landing_domain_id, visible_from)
  WHERE NOT removed;
CREATE INDEX live_code_owner_created ON live_code (owner_id, created_at, id) WHERE NOT removed;
CREATE INDEX live_code_name ON live_code (name, id) WHERE NOT removed;
CREATE INDEX live_code_owner_name ON live_code (owner_id, name, id) WHERE NOT removed;
CREATE INDEX live_code_updated ON live_code (updated_at, id) WHERE NOT removed;
CREATE INDEX live_code_removed ON live_code (removed_at, id) WHERE removed;
CREATE INDEX live_code_cleared ON live_code (id) WHERE visible_from IS NOT NULL;
-- Codes none of whose targets serves are few: they are found by their targets that don't.
CREATE INDEX target_quota_empty ON target_quota (target_id) WHERE remaining = 0;
CREATE INDEX live_code_target_off ON live_code_target (live_code_id) WHERE NOT enabled;
CREATE INDEX live_code_target_expiry ON live_code_target (expires_at) INCLUDE (live_code_id) WHERE expires_at IS NOT NULL;

-- The order by visits; every batch of visits writes here, so that there is no more than an order needs.
CREATE INDEX live_code_total_visits ON live_code_total (visits, live_code_id);
CREATE INDEX live_code_total_ips ON live_code_total (ips, live_code_id);

-- What a text can be found by, of any script and without an extension: each character and every pair of neighbouring ones, as numbers.
CREATE FUNCTION search_grams(given text) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT gram), '{}') FROM (
    SELECT unnest(ARRAY[code, (code % 32768) * 65536 + lead(code) OVER (ORDER BY place) % 65536]) AS gram
    FROM (SELECT ascii(letter) AS code, place FROM string_to_table(lower(given), NULL) WITH ORDINALITY AS letters (letter, place)) AS codes
  ) AS grams WHERE gram IS NOT NULL
$$;

-- Apart from the code, whose row changes far more often than its words. The owner stands among the grams as a negative number.
CREATE TABLE live_code_search (
  live_code_id bigint PRIMARY KEY REFERENCES live_code (id) ON DELETE CASCADE,
  grams integer[] NOT NULL
);

CREATE FUNCTION live_code_words(owner_id bigint, name text, file_name text, remark text) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (-(owner_id % 2147483647))::integer || search_grams(name || E'\n' || file_name || E'\n' || remark)
$$;
INSERT INTO live_code_search SELECT id, live_code_words(owner_id, name, file_name, remark) FROM live_code;
CREATE INDEX live_code_search_grams ON live_code_search USING gin (grams);

-- The change of words is planned anew each time: a plan kept from one changed row takes ten seconds for five thousand.
CREATE FUNCTION live_code_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO live_code_search SELECT id, live_code_words(owner_id, name, file_name, remark) FROM after_rows;
  ELSE
    EXECUTE 'UPDATE live_code_search SET grams = live_code_words(given.owner_id, given.name, given.file_name, given.remark)
    FROM after_rows AS given JOIN before_rows AS present ON present.id = given.id
    WHERE live_code_search.live_code_id = given.id
      AND (present.owner_id, present.name, present.file_name, present.remark) IS DISTINCT FROM (given.owner_id, given.name, given.file_name, given.remark)';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER live_code_words_inserted AFTER INSERT ON live_code REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION live_code_words_changed();
CREATE TRIGGER live_code_words_updated AFTER UPDATE ON live_code REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION live_code_words_changed();
