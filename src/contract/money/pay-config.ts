import { z } from 'zod';
import { call, group, loggedIn, requireAny } from '../kit/call.ts';
import { count, done, id, line, oneOf, time } from '../kit/fields.ts';
import { amount } from './ledger.ts';

/** `test`: the embedded network, whose money is worth nothing; `tron`: nodes that the operator named. */
export const payNetworks = ['test', 'tron'] as const;
export const payNetwork = z.enum(payNetworks);
export type PayNetwork = z.infer<typeof payNetwork>;

export const qrCodeSwitch = { on: 1, off: 2 } as const;
export const qrCodeSwitches = [1, 2] as const;

/** So many blocks stand above one before its payments count. */
export const confirmations = 19;

export const tronAddress = line(40).regex(/^(T[1-9A-HJ-NP-Za-km-z]{33})?$/, 'tron_address');
const address = z.url({ protocol: /^https?$/, error: 'invalid_url' }).max(300);

/** What who pays has to know. */
const shared = {
  id,
  network: payNetwork,
  contract: z.string(),
  minimum_deposit: amount,
  confirmations: count,
  order_minutes: count,
  qr_code_switch: oneOf(qrCodeSwitches),
};

const settings = z.object({
  url: z.string(),
  second_url: z.string(),
  has_api_key: z.boolean(),
  collecting_address: z.string(),
  payout_addresses: z.array(z.string()),
  collect_threshold: amount,
  fee_limit: amount,
  /** How far the network was read. */
  block: count.nullable(),
  solid_head: count.nullable(),
  block_at: time.nullable(),
  /** In the caller's language. */
  last_error: z.string().nullable(),
  last_error_at: time.nullable(),
});

/** So many wallets may be declared that administrators pay from. */
export const maxPayoutAddresses = 20;

export const payConfigRow = z.object({ ...shared, settings: settings.nullable() });
export type PayConfig = z.infer<typeof payConfigRow>;
export type PaySettings = z.infer<typeof settings>;

/** Of the network `tron`. */
const nodes = {
  url: address.or(z.literal('')).optional(),
  second_url: address.or(z.literal('')).optional(),
  contract: tronAddress.optional(),
  /** Write only; null: none. */
  api_key: line(200).nullable().optional(),
};

export const payConfig = group('pay_config', {
  inquire: call({
    summary: 'How payments are taken; `settings` for those only who may see the screen.',
    access: loggedIn,
    input: z.object({}),
    output: payConfigRow,
  }),
  update: call({
    summary:
      'Change how payments are taken. A change of the network, of the collecting address or of payout addresses asks for the password, and for the code of a second factor.',
    access: requireAny('pay_config.update'),
    proved: { by_service: true },
    input: z.object({
      network: payNetwork.optional(),
      ...nodes,
      collecting_address: tronAddress.optional(),
      /** Wallets outside of the site: what one sends settles the withdrawal that it fits. */
      payout_addresses: z.array(tronAddress.min(1, 'required')).max(maxPayoutAddresses).optional(),
      minimum_deposit: amount.optional(),
      collect_threshold: amount.optional(),
      fee_limit: amount.optional(),
      order_minutes: z.number().int().min(5).max(10_080).optional(),
      qr_code_switch: oneOf(qrCodeSwitches).optional(),
    }),
    output: done,
    secrets: ['api_key'],
    limit: { max: 30, seconds: 60 },
  }),
  test: call({
    summary: 'Ask the nodes for their blocks and for the contract; what is left out is as it is stored.',
    access: requireAny('pay_config.test'),
    input: z.object({ network: payNetwork.optional(), ...nodes }),
    output: z.object({
      nodes: z.array(z.object({ url: z.string(), block: count, solid_block: count, duration_ms: count })),
      /** Whether the contract answers as a token does. */
      contract: z.string(),
    }),
    secrets: ['api_key'],
    limit: { max: 20, seconds: 60 },
  }),
});
