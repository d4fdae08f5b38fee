-- Addresses over all codes: in the order in which they came, and each with its own rows, newest first. Neither column changes when an
-- address comes again, so that repeated visits stay updates inside their page (HOT); an index on `last_at` would double their cost.
CREATE INDEX visitor_first_at ON visitor (first_at);
CREATE INDEX visitor_ip_first_at ON visitor (ip, first_at);
