-- The list of addresses that visits are refused from becomes a screen: who added an entry, which entries cover an address, and how many
-- visits each refused. The rows of refused visits are found by address, whatever their number; other visits aren't in this index.
ALTER TABLE visit_blacklist ADD COLUMN created_by bigint;
CREATE INDEX visit_blacklist_covers ON visit_blacklist USING gist (network inet_ops);
-- 2 is the outcome `blocked_ip`.
CREATE INDEX visit_blocked ON visit (ip, at) WHERE outcome = 2;
