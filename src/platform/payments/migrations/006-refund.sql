ALTER TABLE payment ADD COLUMN refund_ref TEXT;
