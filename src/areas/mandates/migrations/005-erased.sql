ALTER TABLE amh_mandate ADD COLUMN erased TEXT;
