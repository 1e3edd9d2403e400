CREATE TABLE try_key (
  day TEXT PRIMARY KEY,
  secret TEXT NOT NULL
);
