CREATE INDEX payment_amounts ON payment (state, amount);
