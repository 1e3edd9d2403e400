ALTER TABLE amh_mandate ADD COLUMN narrowings TEXT;
ALTER TABLE amh_mandate ADD COLUMN voids BIGINT NOT NULL DEFAULT 0;
ALTER TABLE amh_verification ADD COLUMN voided TEXT;
CREATE INDEX amh_verification_platform ON amh_verification (mandate_id, platform_id, state);
