import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { TronWeb, utils } from 'tronweb';
import { expect, test } from 'vitest';
import { addressOfPrivateKey, isAddress, publicKeyOf, toBase58, toHex } from './address.ts';
import { type Act, decodeRaw, decodeTransaction, encodeTransaction, signerOf, signTransaction, tokenTransfer } from './transaction.ts';

const key = () => new Uint8Array(randomBytes(32));
const address = () => addressOfPrivateKey(key());
const reference = { number: 0x1234567, id: `0000000001234567${'ab'.repeat(24)}` };
const intent = (act: Act) => ({ act, reference, timestamp: 1_700_000_000_000, expiration: 1_700_000_060_000, fee_limit: 30_000_000n });

test('addresses of keys are those that TronWeb finds, and a wrong digit is refused', () => {
  for (let time = 0; time < 50; time += 1) {
    const secret = key();
    const text = toBase58(addressOfPrivateKey(secret));
    expect(text).toBe(TronWeb.address.fromPrivateKey(Buffer.from(secret).toString('hex')));
    expect(toHex(text)).toBe(TronWeb.address.toHex(text));
    expect(isAddress(text)).toBe(true);
    const at = 1 + Math.floor(Math.random() * 33);
    const wrong = text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);
    expect(isAddress(wrong)).toBe(TronWeb.isAddress(wrong));
    expect(isAddress(wrong)).toBe(false);
  }
  for (const text of ['', 'T', '41'.repeat(21), toBase58(`42${'00'.repeat(20)}`)]) expect(isAddress(text)).toBe(false);
});

test('what is signed are the bytes that TronWeb makes of the same transaction, and their id', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
      fc.integer({ min: 1, max: 2 ** 31 }),
      fc.boolean(),
      (amount, minutes, isTrx) => {
        const secret = key();
        const owner = addressOfPrivateKey(secret);
        const act: Act = isTrx ? { kind: 'trx', owner, to: address(), amount } : tokenTransfer(owner, address(), address(), amount);
        const wanted = { ...intent(act), expiration: 1_700_000_000_000 + minutes, fee_limit: isTrx ? 0n : BigInt(minutes) };
        const signed = signTransaction(wanted, secret);
        const value =
          act.kind === 'trx'
            ? { owner_address: owner, to_address: act.to, amount: Number(amount) }
            : { owner_address: owner, contract_address: act.contract, data: act.data };
        const name = isTrx ? 'TransferContract' : 'TriggerSmartContract';
        const raw_data = {
          contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${name}` }, type: name }],
          ref_block_bytes: '4567',
          ref_block_hash: 'ab'.repeat(8),
          expiration: wanted.expiration,
          timestamp: wanted.timestamp,
          ...(isTrx ? {} : { fee_limit: Number(wanted.fee_limit) }),
        };
        // TronWeb's types name what its own builders make.
        const bytes = utils.transaction.txJsonToPb({ raw_data } as never);
        expect(signed.raw).toBe(Buffer.from(bytes.getRawData().serializeBinary()).toString('hex'));
        expect(`0x${signed.id}`).toBe(`0x${utils.transaction.txPbToTxID(bytes).replace(/^0x/, '')}`);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a signature is the one that TronWeb makes, and leads back to its sender', () => {
  for (let time = 0; time < 20; time += 1) {
    const secret = key();
    const owner = addressOfPrivateKey(secret);
    const signed = signTransaction(intent(tokenTransfer(owner, address(), address(), 5n)), secret);
    const theirs = utils.crypto.signTransaction(Buffer.from(secret).toString('hex'), { txID: signed.id } as never) as {
      signature: string[];
    };
    expect(signed.signature).toBe(theirs.signature[0]?.toLowerCase());
    const { raw, signatures } = decodeTransaction(encodeTransaction(signed));
    expect(signerOf(raw, signatures[0] ?? Buffer.alloc(0))).toBe(owner);
    expect(signerOf(Buffer.concat([raw, Buffer.of(0)]), signatures[0] ?? Buffer.alloc(0))).not.toBe(owner);
  }
  expect(publicKeyOf(key())).toHaveLength(33);
});

test('nothing is signed that another key than the sender’s would have to sign', () => {
  expect(() => signTransaction(intent({ kind: 'trx', owner: address(), to: address(), amount: 1n }), key())).toThrow('sender');
});

test('what is no transaction of ours is refused, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => decodeRaw(bytes)).toThrow();
    }),
  );
});
