import { z } from 'zod';

/** What nodes answer, as far as we read it. Zeros, empty texts and empty lists are left out by them. */

const digits = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`));
const whole = z.number().int().nonnegative();

const block = z
  .object({
    blockID: digits(64),
    block_header: z.object({
      raw_data: z.object({ number: whole.optional(), timestamp: whole.optional(), parentHash: digits(64).optional() }),
    }),
  })
  .transform(({ blockID, block_header: { raw_data } }) => ({
    id: blockID,
    number: raw_data.number ?? 0,
    timestamp: raw_data.timestamp ?? 0,
    parent: raw_data.parentHash ?? '',
  }));
export type NodeBlock = z.infer<typeof block>;
export const blockAnswer = block;
export const blocksAnswer = z.object({ block: z.array(block).optional() }).transform((answer) => answer.block ?? []);

const log = z.object({ address: z.string().optional(), topics: z.array(z.string()).optional(), data: z.string().optional() });
export const infoAnswer = z
  .object({
    id: digits(64).optional(),
    fee: whole.optional(),
    blockNumber: whole.optional(),
    blockTimeStamp: whole.optional(),
    result: z.string().optional(),
    receipt: z.object({ result: z.string().optional() }).optional(),
    log: z.array(log).optional(),
  })
  .transform((info) => ({
    id: info.id ?? '',
    fee: BigInt(info.fee ?? 0),
    block: info.blockNumber ?? 0,
    timestamp: info.blockTimeStamp ?? 0,
    /** Of a transfer of TRX there is none; `FAILED` where it did not work. */
    result: info.receipt?.result ?? info.result ?? '',
    logs: (info.log ?? []).map((one) => ({ address: one.address ?? '', topics: one.topics ?? [], data: one.data ?? '' })),
  }));
export type TransactionInfo = z.infer<typeof infoAnswer>;
export const infosAnswer = z.array(infoAnswer);

export const accountAnswer = z.object({ balance: whole.optional(), address: z.string().optional() });

/** Energy of an account, and of all that is staked for energy in the network, in TRX. */
export const resourceAnswer = z
  .object({
    EnergyLimit: whole.optional(),
    EnergyUsed: whole.optional(),
    TotalEnergyLimit: whole.optional(),
    TotalEnergyWeight: whole.optional(),
  })
  .transform(({ EnergyLimit = 0, EnergyUsed = 0, TotalEnergyLimit = 0, TotalEnergyWeight = 0 }) => ({
    left: BigInt(Math.max(0, EnergyLimit - EnergyUsed)),
    all: { energy: BigInt(TotalEnergyLimit), staked: BigInt(TotalEnergyWeight) },
  }));
/** Sun. */
export const delegableAnswer = z.object({ max_size: whole.optional() });

export const constantAnswer = z.object({
  result: z.object({ result: z.boolean().optional(), code: z.string().optional(), message: z.string().optional() }).optional(),
  energy_used: whole.optional(),
  constant_result: z.array(z.string()).optional(),
  transaction: z.object({ ret: z.array(z.object({ ret: z.string().optional() })).optional() }).optional(),
});

export const parametersAnswer = z
  .object({ chainParameter: z.array(z.object({ key: z.string(), value: z.number().optional() })) })
  .transform(({ chainParameter }) => new Map(chainParameter.map(({ key, value }) => [key, BigInt(value ?? 0)])));

export const broadcastAnswer = z.object({ result: z.boolean().optional(), code: z.string().optional(), message: z.string().optional() });
