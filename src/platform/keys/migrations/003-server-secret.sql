CREATE TABLE server_secret (
  id BIGINT PRIMARY KEY,
  fingerprint TEXT NOT NULL
);
