-- Which days of the site, after they were over, got other rows of visits than they had: what was made of their rows is made anew. A day without
-- a row is as it was when it ended. Versions are drawn, not counted: one of a database that was set back cannot come again.
CREATE TABLE visit_day_version (
  day date PRIMARY KEY,
  version bigint NOT NULL
);

-- What is asked of the last hours of all codes reads these hours only; counts lie as visits came.
CREATE INDEX visit_hour_origin_hour_idx ON visit_hour_origin USING brin (hour);
CREATE INDEX visit_hour_target_hour_idx ON visit_hour_target USING brin (hour);
