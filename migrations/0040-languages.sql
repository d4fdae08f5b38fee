-- The languages of the site: which are offered and in what order, and texts that operators put in the place of built-in ones.

CREATE TABLE language (
  code text PRIMARY KEY CHECK (code ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$'),
  -- The built-in language whose texts and formats it uses; its own code where it is one.
  base text NOT NULL CHECK (base IN ('zh-CN', 'zh-TW', 'en-US', 'vi-VN', 'th-TH', 'ja-JP')),
  title text NOT NULL,
  icon text NOT NULL DEFAULT '',
  country text NOT NULL DEFAULT '',
  abbreviation text NOT NULL DEFAULT '',
  phone_area_code text NOT NULL DEFAULT '',
  sort integer NOT NULL DEFAULT 0,
  -- 1 shown, 2 hidden.
  show_status smallint NOT NULL DEFAULT 1 CHECK (show_status IN (1, 2)),
  -- From language_version with every change of its texts, so that a version never comes back, not even with a language of the same code.
  version bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX language_code ON language (lower(code));
CREATE SEQUENCE language_version;

INSERT INTO language (code, base, title, icon, country, abbreviation, phone_area_code, sort) VALUES
  ('zh-CN', 'zh-CN', '简体中文', '🇨🇳', 'CN', '简', '+86', 60),
  ('zh-TW', 'zh-TW', '繁體中文', '🇹🇼', 'TW', '繁', '+886', 50),
  ('en-US', 'en-US', 'English', '🇺🇸', 'US', 'EN', '+1', 40),
  ('vi-VN', 'vi-VN', 'Tiếng Việt', '🇻🇳', 'VN', 'VI', '+84', 30),
  ('th-TH', 'th-TH', 'ไทย', '🇹🇭', 'TH', 'TH', '+66', 20),
  ('ja-JP', 'ja-JP', '日本語', '🇯🇵', 'JP', 'JA', '+81', 10);

CREATE TABLE language_text (
  code text NOT NULL REFERENCES language (code) ON DELETE CASCADE,
  key text NOT NULL,
  text text NOT NULL,
  updated_by bigint,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (code, key)
);

CREATE TRIGGER language_announced AFTER INSERT OR UPDATE OR DELETE ON language FOR EACH STATEMENT EXECUTE FUNCTION announce('language');
CREATE TRIGGER language_text_announced AFTER INSERT OR UPDATE OR DELETE ON language_text
  FOR EACH STATEMENT EXECUTE FUNCTION announce('language');
