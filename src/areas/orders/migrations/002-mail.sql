DROP TABLE order_mail;
