import { describe, expect, test } from 'vitest';
import { startDns } from '../testing/dns-server.ts';
import { codeOf, outside, watchedOutside } from '../testing/outside.ts';
import { guardedRequest } from './guarded-client.ts';
import { guardNetwork } from './guarded-network.ts';

const world = watchedOutside();

/** Sixty and more ways to write an address of the inside. */
const forbidden = [
  ...[
    'http://127.0.0.1',
    'http://127.1',
    'http://127.0.1',
    'http://127.255.255.254',
    'http://2130706433',
    'http://0x7f000001',
    'http://0x7f.1',
  ],
  ...[
    'http://0177.0.0.1',
    'http://017700000001',
    'http://0x7F.0x0.0x0.0x1',
    'http://127.0.0.1.',
    'http://127.000.000.001',
    'http://0',
    'http://0.0.0.0',
  ],
  ...[
    'http://00000000000000000000000000000000177.1',
    'http://１２７.０.０.１',
    'http://①②⑦.⓪.⓪.①',
    'http://127。0。0。1',
    'http://127．0．0．1',
  ],
  ...[
    'http://10.0.0.1',
    'http://10.255.255.255',
    'http://0xa000001',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.0.1',
    'http://192.168.257',
  ],
  ...[
    'http://169.254.169.254',
    'http://2852039166',
    'http://0xa9fea9fe',
    'http://0251.0376.0251.0376',
    'http://169.254.43518',
    'http://168.63.129.16',
  ],
  ...[
    'http://100.64.0.1',
    'http://100.100.100.200',
    'http://100.127.255.255',
    'http://192.0.0.192',
    'http://198.18.0.1',
    'http://224.0.0.1',
  ],
  ...['http://255.255.255.255', 'http://240.0.0.1', 'http://192.88.99.1', 'http://[::]', 'http://[::1]', 'http://[0:0:0:0:0:0:0:1]'],
  ...[
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[::ffff:a9fe:a9fe]',
    'http://[::ffff:0:127.0.0.1]',
    'http://[::127.0.0.1]',
  ],
  ...[
    'http://[64:ff9b::7f00:1]',
    'http://[64:ff9b::10.0.0.1]',
    'http://[64:ff9b:1::a00:1]',
    'http://[2002:7f00:1::]',
    'http://[2002:a9fe:a9fe::1]',
  ],
  ...[
    'http://[2001:0:7f00:1::]',
    'http://[fd00::1]',
    'http://[fd00:ec2::254]',
    'http://[fc00::1]',
    'http://[fe80::1]',
    'http://[fe80::1%25eth0]',
  ],
  ...[
    'http://[fe80::1%eth0]',
    'http://[fec0::1]',
    'http://[ff02::1]',
    'http://[2001:db8::1]',
    'http://[100::1]',
    'http://[4000::1]',
    'http://[5f00::1]',
  ],
  ...[
    'http://localhost',
    'http://localhost.',
    'http://LOCALHOST',
    'http://ｌｏｃａｌｈｏｓｔ',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'https://localhost',
    'https://127.0.0.1',
    'https://[::1]',
  ],
  ...[
    'http://public.example@127.0.0.1',
    'http://127.0.0.1#@public.example',
    'http://127.0.0.1\\@public.example',
    'http://public.example:80@127.0.0.1',
  ],
  ...[
    'http:127.0.0.1',
    'http:/127.0.0.1',
    'http:\\\\127.0.0.1',
    ' http://127.0.0.1',
    'ht\ntp://127.0.0.1',
    'http://127.0.0.1?@public.example',
  ],
];

describe('an address of the inside', () => {
  test('is written in more than sixty ways here', () => expect(new Set(forbidden).size).toBeGreaterThanOrEqual(60));

  test.each(forbidden)('%j is never connected to', async (address) => {
    const withPort = address.includes('localhost') || /127\.0\.0\.1$/.test(address) ? `${address}:${world.port}/` : address;
    for (const url of new Set([address, withPort])) {
      const code = await codeOf(guardedRequest(guardNetwork([]), { url, timeout_ms: 3_000, redirects: 5 }));
      // Not every resolver knows this spelling; those that do answer the loopback address.
      const unknown = /localhost\.(:|$)/.test(url) ? ['outgoing.failed'] : [];
      expect(['outgoing.refused_address', 'outgoing.invalid_url', ...unknown], `${url}: ${code}`).toContain(code);
    }
    expect(world.attempts).toEqual([]);
  });

  test.each([
    'file:///etc/passwd',
    'ftp://example.com',
    'gopher://x',
    'unix:/run/x.sock',
    'javascript:1',
    'blob:http://x/y',
    'example.com',
    '',
    'http://x:0',
    'http://x:99999',
    'http://exa mple.com',
    'http://[::1',
  ])('%j is no address to call', async (url) => {
    expect(await codeOf(guardedRequest(guardNetwork([]), { url }))).toBe('outgoing.invalid_url');
    expect(world.attempts).toEqual([]);
  });
});

describe('names that stand for the inside', () => {
  const inside = {
    'ten.example': '10.0.0.7',
    'meta.example': '169.254.169.254',
    '127.0.0.1.nip.example': '127.0.0.1',
    'six.example': '::1',
    'mapped.example': '::ffff:127.0.0.1',
    'nat.example': '64:ff9b::7f00:1',
    'ula.example': 'fd00::1',
    'zero.example': '0.0.0.0',
  };

  test.each(Object.keys(inside))('%s is refused when it is connected to', async (name) => {
    const dns = await startDns((asked) => [inside[asked as keyof typeof inside] ?? '']);
    const guarded = guardNetwork([], dns.resolve);
    for (const scheme of ['http', 'https'])
      expect(await codeOf(guardedRequest(guarded, { url: `${scheme}://${name}:${world.port}/`, timeout_ms: 3_000 }))).toBe(
        'outgoing.refused_address',
      );
    expect(world.attempts).toEqual([]);
    await dns.close();
  });

  test('a name that is outside at the first look and inside at the next is called outside only', async () => {
    const dns = await startDns((_name, asked) => [asked === 0 ? outside : '127.0.0.1']);
    const guarded = guardNetwork([`${outside}/32`], dns.resolve);
    world.answer = (_request, response) => response.end('outside');
    const url = `http://rebind.example:${world.port}/`;
    expect((await guardedRequest(guarded, { url })).body).toBe('outside');
    for (let again = 0; again < 3; again += 1) expect(await codeOf(guardedRequest(guarded, { url }))).toBe('outgoing.refused_address');
    expect(world.attempts).toEqual([outside]);
    await dns.close();
  });

  test('a redirect to the same name is looked up anew', async () => {
    const dns = await startDns((_name, asked) => [asked === 0 ? outside : '127.0.0.3']);
    const guarded = guardNetwork([`${outside}/32`], dns.resolve);
    world.answer = (_request, response) => response.writeHead(302, { location: '/again' }).end();
    expect(await codeOf(guardedRequest(guarded, { url: `http://rebind.example:${world.port}/`, redirects: 5 }))).toBe(
      'outgoing.refused_address',
    );
    expect(world.attempts).toEqual([outside]);
    await dns.close();
  });

  test('of several addresses only those outside are tried', async () => {
    const dns = await startDns(() => ['127.0.0.1', '10.0.0.1', '::1', outside, '169.254.169.254']);
    const guarded = guardNetwork([`${outside}/32`], dns.resolve);
    world.answer = (_request, response) => response.end('outside');
    expect((await guardedRequest(guarded, { url: `http://mixed.example:${world.port}/` })).body).toBe('outside');
    expect(world.attempts).toEqual([outside]);
    await dns.close();
  });

  test('a name that nobody knows is a failure', async () => {
    const dns = await startDns(() => []);
    expect(await codeOf(guardedRequest(guardNetwork([], dns.resolve), { url: 'http://nobody.example/' }))).toBe('outgoing.failed');
    await dns.close();
  });
});
