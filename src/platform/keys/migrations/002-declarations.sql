ALTER TABLE service_key ADD COLUMN declared_in TEXT;
ALTER TABLE service_key ADD COLUMN retires_at BIGINT;
