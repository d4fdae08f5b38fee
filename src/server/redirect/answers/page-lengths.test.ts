import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jumpTypes, pageStyles } from '../../../contract/enums.ts';
import { settingsOf } from '../../../contract/settings.ts';
import { compileCode } from '../memory/compile.ts';
import { plainCode } from '../memory/load.ts';
import type { Reply, StoredCode, StoredTarget } from '../model.ts';
import { escapeHtml, isAllowedJumpUrl } from '../pages/escape.ts';
import { pageLanguages, type RefusalOutcome, texts } from '../pages/texts.ts';
import { issueLongPress, longPressTokenLength } from '../rotation/presses.ts';
import { hostileTexts } from '../testing/pages.ts';
import { createReplies } from './replies.ts';
import { send } from './send.ts';

/** What stood, stands or might stand in pages of ours to be replaced. */
const markers = [
  'press-token-4f81d09b',
  'title-c41d8a07e5',
  'address-9b27f0d36a.invalid',
  'https://address-9b27f0d36a.invalid',
  'data-press="',
  ' id=picture data-press=""',
  'press',
  'title',
  'url',
  '{rest}',
  '${title}',
  '$1 $& $`',
  'undefined',
  'x-visit-id: ',
  '\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
];
const hard = [
  '\ud83d',
  '\udc4d',
  '\0',
  '\u202e',
  '\u2066',
  '\u{1f468}\u200d\u{1f469}',
  '\u{10ffff}',
  '加',
  'مرحبا',
  '\u0085',
  '\ufeff',
  '\r',
  '\n',
];
const text = fc.oneof(
  fc.constantFrom(...markers, ...hard, ...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.oneof(fc.constantFrom(...markers, ...hard), fc.string({ maxLength: 8 })), { maxLength: 6 }).map((parts) => parts.join('')),
);
const address = fc
  .oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.constantFrom('https://address-9b27f0d36a.invalid', 'http://press-token-4f81d09b/title-c41d8a07e5?x=press', 'weixin://dl/chat?a=<1>'),
    text.map((part) => `https://例え.example/${part}`),
  )
  .filter((url) => isAllowedJumpUrl(url, ['weixin']));

const stored = (change: Partial<StoredCode>, target: Partial<StoredTarget>): StoredCode =>
  plainCode({
    id: 7,
    file_name: 'code',
    owner_id: 1,
    entry_domain_id: 1,
    landing_domain_id: null,
    open: true,
    rotation_mode: 1,
    jump_type: 1,
    access_mode: 1,
    restriction_visit: 1,
    open_log: true,
    fallback_url: null,
    page_title: '',
    page_text: '',
    page_style: 'plain',
    page_color: null,
    expires_at: null,
    removed: false,
    is_frozen: false,
    same_target: false,
    js_config_ids: [],
    targets: [
      {
        id: 9,
        kind: 'url',
        content: '',
        picture: null,
        name: '',
        weight: 1,
        is_limited: false,
        generation: null,
        remaining: null,
        expires_at: null,
        rules: null,
        any_picture: false,
        ...target,
      },
    ],
    ...change,
  });

const key = Buffer.alloc(32, 7);
const owner = { id: 1, is_disabled: false, is_frozen: false, member_expires_at: null, all_codes_open: true };
const leases = { quotaOf: () => expect.fail('no target of these has a threshold') };

const kind = fc.record({
  language: fc.nat({ max: pageLanguages.length - 1 }),
  title: text,
  name: text,
  words: text,
  site: text,
  address,
  jump_type: fc.constantFrom(...jumpTypes),
  page_style: fc.constantFrom(...pageStyles),
  what: fc.constantFrom('url', 'text', 'picture', 'fallback', 'refusal', 'outside'),
  outcome: fc.constantFrom(...(Object.keys(texts['en-US'].refusals) as RefusalOutcome[])),
  script: text,
});
type Kind = typeof kind extends fc.Arbitrary<infer One> ? One : never;

/** The answer as the visit path makes it, and what has to be read in it. */
function replyTo(of: Kind): { reply: Reply; shown: string[] } {
  const replies = createReplies({ ...settingsOf([]), admin_title: of.site });
  const { language, title, name, words, page_style, jump_type } = of;
  if (of.what === 'refusal') {
    return { reply: replies.refusal(of.outcome, { code_title: title, host: words, link: of.address }, language), shown: [] };
  }
  if (of.what === 'outside') {
    return { reply: replies.outside({ title, text: words }, of.address, language), shown: [escapeHtml(title), escapeHtml(words)] };
  }
  const target = {
    kind: of.what === 'fallback' ? 'url' : of.what,
    name,
    content: of.what === 'text' ? words : of.address,
    picture: 'ab.png',
  } as const;
  const change = { page_title: title, page_text: words, page_style, jump_type, fallback_url: of.address };
  const origins = ['https://stat.example'];
  const snippets = { of: () => ({ scripts: [of.script], origins, key: of.script }) };
  const code = compileCode(stored(change, target), owner, { leases, jump_schemes: ['weixin'], snippets }, undefined);
  const shown = [escapeHtml(of.what === 'fallback' ? title : title || name)];
  if (of.what === 'fallback') return { reply: replies.toFallback(code, code.fallback ?? expect.fail(), language), shown };
  if (of.what !== 'url') shown.push(...escapeHtml(words).split('\n'));
  return { reply: replies.toTarget(code, code.usable[0] ?? expect.fail(), language), shown };
}

describe('every page', () => {
  let server: Server;
  let reply: Reply;
  const press = issueLongPress(key, 7, 9, 0);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  beforeAll(async () => {
    server = createServer((_, response) => send(response, reply, 'x'.repeat(22), false, '', press));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    agent.destroy();
    server.close();
  });

  const read = (method: string): Promise<{ length: number; body: Buffer }> =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const asked = request({ host: '127.0.0.1', port, agent, method, timeout: 2000 }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => resolve({ length: Number(response.headers['content-length']), body: Buffer.concat(chunks) }));
      });
      asked.once('timeout', () => asked.destroy(new Error('the answer is shorter than it says')));
      asked.once('error', reject);
      asked.end();
    });

  it('is as long as it says, over one connection, and holds every text as it was typed', async () => {
    expect(press).toHaveLength(longPressTokenLength);
    await fc.assert(
      fc.asyncProperty(kind, async (of) => {
        const answer = replyTo(of);
        reply = answer.reply;
        const { length, body } = await read('GET');
        expect(body.length).toBe(length);
        const html = body.toString('utf8');
        // Sound UTF-8, so that a browser reads what was meant.
        expect(Buffer.from(html).equals(body)).toBe(true);
        for (const part of answer.shown) expect(html).toContain(part);
        expect(html.split(press).length - 1).toBe(of.what === 'picture' ? 1 : 0);
        expect(await read('HEAD')).toMatchObject({ length });
      }),
      { numRuns: 1500 },
    );
  });
});

it('two refusals whose texts only read alike when joined are two pages', () => {
  const replies = createReplies(settingsOf([]));
  const page = { title: 'a\nb', text: 'c' };
  const other = { title: 'a', text: 'b\nc' };
  expect(replies.outside(page, 'https://a.example', 0)).not.toEqual(replies.outside(other, 'https://a.example', 0));
});
