-- One transaction can pay many withdrawals, as wallets do that send to many receivers at once: what it sent to an address pays one.
DROP INDEX withdrawal_transaction_hash_key;
CREATE UNIQUE INDEX withdrawal_transaction_hash_address_key ON withdrawal (transaction_hash, address);
