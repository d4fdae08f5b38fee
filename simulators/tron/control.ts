import { isAddress, toBase58 } from '../../src/server/tron/protocol/address.ts';
import { sentTokens } from '../../src/server/tron/protocol/transaction.ts';
import { escaped, page } from '../page.ts';
import { type FaultKind, type Faults, faultKinds } from './faults.ts';
import { lookAlikes, type Network, treasury, usdt } from './network.ts';

const shownBlocks = 200;
const maxBlocks = 2_000;

const millionths = (text: string): bigint => {
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text.trim()) ?? [];
  return BigInt(`${whole}${fraction.padEnd(6, '0')}` || '0');
};

const usdtText = (amount: bigint): string => `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`;

/** What the page's buttons ask for. Answers what was done, or what was wrong. */
export function act(network: Network, faults: Faults, fields: Record<string, string>): string {
  const { to = '', amount = '', count = '1' } = fields;
  const number = Math.min(maxBlocks, Math.max(1, Math.trunc(Number(count)) || 1));
  const send = (perform: () => string): string => {
    if (!isAddress(to.trim())) return 'The address is none, or has a wrong digit.';
    return millionths(amount) > 0n ? `Sent: ${perform()}` : 'The amount is none.';
  };
  switch (fields.act) {
    case 'usdt':
      return send(() => network.sendTokens(to.trim(), millionths(amount)));
    case 'look-alike':
      return send(() => network.sendTokens(to.trim(), millionths(amount), lookAlikes[1]));
    case 'trx':
      return send(() => network.sendTrx(to.trim(), millionths(amount)));
    case 'blacklist':
      if (!isAddress(to.trim())) return 'The address is none, or has a wrong digit.';
      network.blacklist(to.trim());
      return 'The address is on the blacklist of USDT.';
    case 'blocks':
      network.makeBlocks(number);
      return `${number} blocks made.`;
    case 'reorganise':
      network.reorganise(Math.min(number, 18));
      return `The last ${Math.min(number, 18)} blocks were taken back.`;
    case 'fault': {
      const kind = faultKinds.find((one) => one === fields.kind) as FaultKind | undefined;
      if (kind) faults.plan(kind, number);
      return `The next ${number} requests: ${kind}.`;
    }
    default:
      return '';
  }
}

function transactions({ chain }: Network): string {
  const rows: string[] = [];
  for (let block = chain.head(); block > Math.max(0, chain.head() - shownBlocks) && rows.length < 20; block -= 1)
    for (const { id, act: done, result } of chain.transactionsOf(block)) {
      const sent = done && (done.kind === 'trx' ? done : sentTokens(done));
      const what = done?.kind === 'trx' ? 'TRX' : done?.contract === usdt ? 'USDT' : 'another token';
      const words = sent ? `${usdtText(sent.amount)} ${what} to ${toBase58(sent.to)}` : 'something else';
      const state = block <= chain.solid() ? 'solid' : `solid in ${block - chain.solid()} blocks`;
      rows.push(`<li>${words} · ${escaped(result || 'SUCCESS')} · block ${block}, ${state}<br><code>${id}</code></li>`);
    }
  return rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '<p>None yet.</p>';
}

const form = (act: string, inner: string, button: string): string =>
  `<form method="post" action="/control" style="display:block;margin:.5rem 0"><input type="hidden" name="act" value="${act}">${inner} <button>${button}</button></form>`;

/** The page by which one pays with test money, and lets things go wrong. */
export function controlPage(network: Network, said: string, to = ''): string {
  const { chain } = network;
  const receiver = `<input name="to" size="42" placeholder="T…" aria-label="Address" value="${escaped(to)}" required>`;
  const amount = (value: string) => `<input name="amount" size="10" aria-label="Amount" value="${value}" required>`;
  const count = (value: number) => `<input name="count" type="number" min="1" max="${maxBlocks}" aria-label="Number" value="${value}">`;
  const kinds = `<select name="kind" aria-label="Fault">${faultKinds.map((kind) => `<option>${kind}</option>`).join('')}</select>`;
  return page(
    'TRON test network',
    `${said ? `<p role="status"><b>${escaped(said)}</b></p>` : ''}
<p>Block ${chain.head()}, solid up to ${chain.solid()}; ${network.pool().length} waiting. A payment counts once it is solid, a minute after it was sent.</p>
<h2>Send</h2>${form('usdt', `${receiver} ${amount('100')}`, 'Send test USDT')}${form('trx', `${receiver} ${amount('50')}`, 'Send test TRX')}
${form('look-alike', `${receiver} ${amount('100')}`, 'Send a token that only looks like USDT')}
${form('blacklist', receiver, 'Put on the blacklist of USDT')}
<h2>Time</h2>${form('blocks', count(20), 'Make blocks now')}${form('reorganise', count(3), 'Take blocks back')}
<h2>Faults</h2>${form('fault', `${kinds} ${count(3)}`, 'Let requests fail')}
<h2>Transactions</h2>${transactions(network)}
<p>USDT: <code>${toBase58(usdt)}</code>; sender: <code>${toBase58(treasury)}</code></p>`,
  );
}
