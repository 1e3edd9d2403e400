CREATE TABLE login_known (
  email TEXT NOT NULL,
  mark TEXT NOT NULL,
  until BIGINT NOT NULL,
  PRIMARY KEY (email, mark)
);
CREATE INDEX login_known_until ON login_known (until);
