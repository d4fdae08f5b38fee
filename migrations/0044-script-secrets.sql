-- Values of a script's secret parameters, sealed JSON by their names: of a run until it is over, of a schedule as long as it is there.
ALTER TABLE script_run ADD COLUMN secrets bytea;
ALTER TABLE script_schedule ADD COLUMN secrets bytea;
