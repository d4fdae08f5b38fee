-- Shares of orders are held for some days (`share_hold`) before their agents can dispose of them. What is refunded meanwhile is taken back from
-- there; a later refund is a debt of the agent (`share_debt`, never above 0), which his next shares pay when they are released.
ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_kind_check;
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_kind_check CHECK (kind IN ('user_available', 'user_hold', 'share_hold', 'share_debt',
  'chain_deposit', 'chain_hot', 'chain_cold', 'suspense', 'payout_clearing', 'revenue', 'commission', 'network_fee', 'admin_adjust'));
ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_kind_owner_id_check;
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_kind_owner_id_check CHECK (
  (owner_id IS NOT NULL) = (kind IN ('user_available', 'user_hold', 'share_hold', 'share_debt')));
ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_kind_balance_check;
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_kind_balance_check CHECK (CASE
  WHEN kind = 'share_debt' THEN balance <= 0
  ELSE balance >= 0 OR kind NOT IN ('user_available', 'user_hold', 'share_hold', 'suspense', 'payout_clearing') END);

ALTER TABLE order_share
  -- `owed`: the order was refunded after the share had been released.
  ADD COLUMN state text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'released', 'reversed', 'owed')),
  ADD COLUMN release_at timestamptz NOT NULL DEFAULT now(),
  -- What of it paid its agent's debt when it was released.
  ADD COLUMN debt_paid bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT order_share_amount_debt_paid_check CHECK (debt_paid BETWEEN 0 AND amount);
-- Until now shares could be disposed of at once.
UPDATE order_share SET release_at = created_at,
  state = CASE WHEN (SELECT state FROM combo_order WHERE combo_order.id = order_id) = 'refunded' THEN 'reversed' ELSE 'released' END;
ALTER TABLE order_share ALTER COLUMN release_at DROP DEFAULT;
CREATE INDEX order_share_release_at_idx ON order_share (release_at) WHERE state = 'held';
CREATE INDEX order_share_agent_id_release_at_idx ON order_share (agent_id, release_at) WHERE state = 'held';
