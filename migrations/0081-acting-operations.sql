-- The administrator who asked for an operation in its user's name: what it changes tells of both.
ALTER TABLE async_operation ADD COLUMN impersonator_id bigint;
