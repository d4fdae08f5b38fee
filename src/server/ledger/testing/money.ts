import { randomUUID } from 'node:crypto';
import { type BalanceEdit, kindOfEdit } from '../../../contract/money/ledger.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { balanceOf, post } from '../ledger.public.ts';

/** Adds this many millionths to a balance as an administrator would: money that came in, or a gift. */
export const credit = (db: Database, user_id: number, millionths: bigint, edit: BalanceEdit = 'payment') =>
  transact(db, (tx) =>
    post(tx, {
      kind: kindOfEdit[edit],
      ref: { type: 'test', id: randomUUID() },
      entries: [
        { account: { kind: 'admin_adjust' }, amount: -millionths },
        { account: { kind: 'user_available', owner_id: user_id }, amount: millionths },
      ],
    }),
  );

/** Lets a user have earned this many millionths, as a share does that is released. */
export const earn = (db: Database, user_id: number, millionths: bigint) =>
  transact(db, (tx) =>
    post(tx, {
      kind: 'share_release',
      ref: { type: 'test', id: randomUUID() },
      entries: [
        { account: { kind: 'revenue' }, amount: -millionths },
        { account: { kind: 'user_available', owner_id: user_id }, amount: millionths },
      ],
    }),
  );

export const availableOf = (db: Database, user_id: number): Promise<bigint> => balanceOf(db, { kind: 'user_available', owner_id: user_id });
