-- A million short links are searched by pairs of characters, as live codes are. An index is built without a search path of its own.
CREATE FUNCTION short_code_words(short text, url text, platform_url text, remark text) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT AS $$
  SELECT search_grams(coalesce(short, '') || E'\n' || coalesce(url, '') || E'\n' || coalesce(platform_url, '') || E'\n' || remark)
$$;
CREATE INDEX short_code_search ON short_code USING gin (short_code_words(short, url, platform_url, remark));
