-- Since when payments are behind the network, and whether administrators were told of it.
ALTER TABLE tron_position
  ADD COLUMN stalled_at timestamptz,
  ADD COLUMN stalled_told boolean NOT NULL DEFAULT false;
