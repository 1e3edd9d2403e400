CREATE INDEX payment_recheck ON payment (updated_at) WHERE state = 'settled' AND payload IS NOT NULL;
