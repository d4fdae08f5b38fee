-- Flags stand for countries, and many systems have no pictures for them: a language begins without an icon.
UPDATE language SET icon = '' WHERE code IN ('zh-CN', 'zh-TW', 'en-US', 'vi-VN', 'th-TH', 'ja-JP');
