import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestApp } from '../kit/testing/app.ts';
import { newCombo, play } from './testing/model.ts';
import { type Step, steps } from './testing/steps.ts';

/** What could go wrong in the code or the database, put there on purpose. */
const bugs: Record<string, string> = {
  'a balance may fall below nothing': 'ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_kind_balance_check',
  'a payment that is told of twice counts twice': `
    CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.fingerprint := NEW.fingerprint || gen_random_uuid(); RETURN NEW; END $$;
    CREATE TRIGGER planted BEFORE INSERT ON usdt_transaction FOR EACH ROW EXECUTE FUNCTION planted()`,
  'a rejected withdrawal can be decided about again': `
    CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.state := 'waiting'; NEW.decided_at := NULL; RETURN NEW; END $$;
    CREATE TRIGGER planted BEFORE UPDATE ON withdrawal FOR EACH ROW WHEN (NEW.state = 'rejected') EXECUTE FUNCTION planted()`,
  'a millionth of large amounts is lost': `
    CREATE OR REPLACE FUNCTION ledger_entry_moves_balance() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE ledger_account SET balance = balance + NEW.amount - (NEW.amount > 20000000)::int, version = version + 1 WHERE id = NEW.account_id
        RETURNING balance, version INTO NEW.balance_after, NEW.account_version;
      RETURN NEW;
    END $$`,
  'orders take half of their price': `
    CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT kind FROM ledger_transfer WHERE id = NEW.transfer_id) = 'order' THEN NEW.amount := NEW.amount / 2; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER a_planted BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION planted()`,
  'collections are booked in the wrong direction': `
    CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT kind FROM ledger_transfer WHERE id = NEW.transfer_id) = 'collection' THEN NEW.amount := -NEW.amount; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER a_planted BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION planted()`,
};

test.each(Object.entries(bugs))('is found: %s', async (_name, planted) => {
  const site = await createTestApp();
  try {
    const admin = (await site.makeUser('super')).id;
    const combo = await newCombo(site);
    await site.db.execute(sql.raw(planted));
    const sequences = fc.sample(fc.array(steps, { minLength: 60, maxLength: 60 }), { numRuns: 10, seed: 7 });
    let found: string[] = [];
    for (const sequence of sequences) {
      found = await play(site, sequence as Step[], admin, combo);
      if (found.length > 0) break;
    }
    expect(found).not.toEqual([]);
  } finally {
    await site.close();
  }
});
