/** What a token of the kind TRC20 is called with and what it logs. */

/** keccak("Transfer(address,address,uint256)") */
export const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The first four bytes of the hash of a function's name. */
export const selectors = { transfer: 'a9059cbb', balanceOf: '70a08231', isBlackListed: 'e47d6060' } as const;

/** A word of 32 bytes as hexadecimal digits. */
export const word = (value: bigint): string => value.toString(16).padStart(64, '0');
/** An address in a word: without the first byte `41`. */
export const addressWord = (hex: string): string => hex.slice(2).padStart(64, '0');
/** The address in a word, with `41`; of a topic the rest must be zeros. */
export const addressOfWord = (text: string): string => `41${text.slice(-40)}`;
export const isAddressWord = (text: string): boolean => /^0{24}[0-9a-f]{40}$/.test(text);

export const transferData = (toHexAddress: string, amount: bigint): string => selectors.transfer + addressWord(toHexAddress) + word(amount);

/** The receiver and the amount of a call of `transfer`; undefined where the data is something else. */
export function readTransferData(data: string): { to: string; amount: bigint } | undefined {
  const match = /^a9059cbb([0-9a-f]{64})([0-9a-f]{64})$/.exec(data);
  if (!match?.[1] || !match[2] || !isAddressWord(match[1])) return undefined;
  return { to: addressOfWord(match[1]), amount: BigInt(`0x${match[2]}`) };
}
