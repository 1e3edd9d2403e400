ALTER TABLE service_key ADD COLUMN place BIGINT;
UPDATE service_key SET place = (
  SELECT COUNT(*) FROM service_key AS older
  WHERE older.valid_from < service_key.valid_from
  OR (older.valid_from = service_key.valid_from AND older.key_id < service_key.key_id)
);
