-- A database that was restored from a backup may be a copy beside its original: until an administrator says that it is the site, no worker of
-- it reaches outside. The row stands as long as nobody has said so; on all other sites there is none.
CREATE TABLE restored_copy (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- The moment whose state was restored.
  backed_up_at timestamptz NOT NULL,
  restored_at timestamptz NOT NULL
);
CREATE TRIGGER restored_copy_announced AFTER INSERT OR UPDATE OR DELETE ON restored_copy FOR EACH STATEMENT
  EXECUTE FUNCTION announce('restored_copy');
