-- What a site message is: information, a reminder of what is coming, or an alert. All that were sent until now looked like alerts.

ALTER TABLE site_message ADD COLUMN kind text NOT NULL DEFAULT 'alert' CHECK (kind IN ('info', 'reminder', 'alert'));
