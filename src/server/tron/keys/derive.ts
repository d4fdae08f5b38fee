import { HDKey } from '@scure/bip32';
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

export const entropyBytes = 32;

/**
 * The key of a wallet: m/44'/195'/i'/0/0. The account is hardened, so that one key that got out and the public key of a branch give none of
 * the others away.
 */
export function deriveKey(entropy: Uint8Array, index: number): Uint8Array {
  const seed = mnemonicToSeedSync(entropyToMnemonic(entropy, wordlist));
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(`m/44'/195'/${index}'/0/0`);
  if (!privateKey) throw new Error('a derived key has a private part');
  return privateKey;
}
