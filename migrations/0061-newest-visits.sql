-- What came since the last vacuum of a day stands in no summary, and a question about the newest visits looked through all of it.
DO $$
DECLARE day_index regclass;
BEGIN
  FOR day_index IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'visit_at_idx'::regclass LOOP
    EXECUTE format('ALTER INDEX %s SET (autosummarize = on)', day_index);
  END LOOP;
END $$;
ALTER INDEX visit_hour_hour_idx SET (autosummarize = on);
ALTER INDEX visit_hour_origin_hour_idx SET (autosummarize = on);
ALTER INDEX visit_hour_target_hour_idx SET (autosummarize = on);
