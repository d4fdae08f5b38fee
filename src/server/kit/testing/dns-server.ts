import { createSocket } from 'node:dgram';
import { type LookupAddress, Resolver } from 'node:dns';
import { isIPv4 } from 'node:net';
import { canonicalIp, readIpv6 } from '../network/ip.ts';

type Answers = (name: string, asked: number) => readonly string[];

/** A real name server on the loopback address that answers what `answers` says, at the nth question for a name; nothing is cached. */
export async function startDns(answers: Answers) {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const { name, type, end } = question(message);
    // A look-up asks for both families; it counts once.
    const number = type === 1 ? (asked.get(name) ?? 0) : (asked.get(name) ?? 1) - 1;
    if (type === 1) asked.set(name, number + 1);
    const records = answers(name, number).filter((ip) => isIPv4(ip) === (type === 1));
    const header = Buffer.from(message.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(records.length, 6);
    header.fill(0, 8);
    socket.send(Buffer.concat([header, message.subarray(12, end), ...records.map(record)]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);

  /** Takes the place of `dns.lookup`. */
  function resolve(
    host: string,
    _options: unknown,
    answer: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ): void {
    resolver.resolve4(host, (_error4, four = []) =>
      resolver.resolve6(host, (error6, six = []) => {
        const found = [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))];
        answer(found.length === 0 ? (error6 ?? new Error('no address')) : null, found);
      }),
    );
  }
  return { resolve, close: () => new Promise<void>((done) => socket.close(() => done())) };
}

function question(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** One record of RFC 1035: the name by a pointer to the question, class IN, no time to live. */
function record(ip: string): Buffer {
  const data = isIPv4(ip) ? Buffer.from((canonicalIp(ip) ?? '').split('.').map(Number)) : ipv6Bytes(ip);
  const head = Buffer.from([0xc0, 12, 0, isIPv4(ip) ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(ip: string): Buffer {
  const words = new Uint32Array(4);
  readIpv6(ip, words);
  const bytes = Buffer.alloc(16);
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word, index * 4);
  return bytes;
}
