-- What the QR code inside an uploaded picture says and leads to; null where nobody has looked, as in files of earlier versions.
ALTER TABLE file
  ADD COLUMN qr_text text,
  ADD COLUMN qr_kind text CHECK (qr_kind IN ('group', 'personal', 'enterprise', 'official', 'url', 'text', 'none'));

ALTER TABLE live_code_target
  -- A picture that is meant to hold no QR code, such as a poster.
  ADD COLUMN any_picture boolean NOT NULL DEFAULT false,
  -- The expiry of which its owner has been told: another one is told of again.
  ADD COLUMN reminded_expiry timestamptz;
