import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** What the server knows: addresses and names by type and name. A name that it doesn't know at all doesn't exist. */
export type Zone = Record<string, { A?: string[]; AAAA?: string[]; CNAME?: string }>;

export type DnsServer = {
  /** As the setting `dns_servers` takes it. */
  address: string;
  /** Questions that came, such as `A a.example`. */
  questions: string[];
  stop: () => Promise<void>;
};

const typeNumbers = { A: 1, CNAME: 5, AAAA: 28 } as const;
const nameOf = new Map(Object.entries(typeNumbers).map(([name, number]) => [number as number, name as keyof typeof typeNumbers]));
const codes = { ok: 0, failure: 2, unknown: 3 };

/**
 * A name server over UDP on loopback (RFC 1035, one question a message, no compression), as much of one as resolving needs.
 * @param zone names below `fail.` answer SERVFAIL, names below `silent.` nothing at all; `*.x` answers for names below x
 */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (message, peer) => {
    const question = readQuestion(message);
    questions.push(`${nameOf.get(question.type) ?? question.type} ${question.name}`);
    if (/(^|\.)silent\b/.test(question.name)) return;
    socket.send(answer(message, question, zone), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async stop() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

type Question = { name: string; type: number; end: number };

function readQuestion(message: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

const found = (zone: Zone, name: string) => zone[name] ?? zone[`*.${name.split('.').slice(1).join('.')}`];

function answer(message: Buffer, question: Question, zone: Zone): Buffer {
  const records: Buffer[] = [];
  let { name } = question;
  const known = found(zone, name);
  // As resolvers do, what a name stands for is told along with it.
  for (let entry = known; entry && records.length < 10; entry = found(zone, name)) {
    if (entry.CNAME === undefined || question.type === typeNumbers.CNAME) {
      records.push(...recordsOf(name, question.type, entry));
      break;
    }
    records.push(record(name, typeNumbers.CNAME, nameBytes(entry.CNAME)));
    name = entry.CNAME;
  }
  const code = /(^|\.)fail\b/.test(question.name) ? codes.failure : known ? codes.ok : codes.unknown;
  const header = Buffer.from(message.subarray(0, 12));
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, message.subarray(12, question.end), ...records]);
}

function recordsOf(name: string, type: number, entry: Zone[string]): Buffer[] {
  const kind = nameOf.get(type);
  if (kind === 'A') return (entry.A ?? []).map((ip) => record(name, type, Buffer.from(ip.split('.').map(Number))));
  if (kind === 'AAAA') return (entry.AAAA ?? []).map((ip) => record(name, type, ipv6Bytes(ip)));
  return kind === 'CNAME' && entry.CNAME !== undefined ? [record(name, type, nameBytes(entry.CNAME))] : [];
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(60, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), fixed, data]);
}

const nameBytes = (name: string): Buffer =>
  Buffer.concat([...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])), Buffer.from([0])]);

/** @param text an address with all its eight groups */
function ipv6Bytes(text: string): Buffer {
  const [head = '', tail = ''] = text.split('::');
  const groups = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255]));
}
