-- Long presses of a target's picture beside its visits, hour by hour. A row may have either.
ALTER TABLE visit_hour_target ADD COLUMN presses integer NOT NULL DEFAULT 0;
ALTER TABLE visit_hour_target ALTER COLUMN visits SET DEFAULT 0;
