CREATE INDEX payment_receipt ON payment (receipt_id);
