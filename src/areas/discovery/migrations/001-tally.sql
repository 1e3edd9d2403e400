CREATE TABLE tally (
  hour BIGINT NOT NULL,
  operation TEXT NOT NULL,
  calls BIGINT NOT NULL,
  faults BIGINT NOT NULL,
  PRIMARY KEY (hour, operation)
);
