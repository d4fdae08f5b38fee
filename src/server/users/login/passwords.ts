import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** argon2id with 46 MiB, one pass, one lane: OWASP's first choice. */
const parameters = { memory: 47_104, passes: 1, parallelism: 1, tagLength: 32 };
/** Half of the four threads of Node's pool: a flood of logins leaves the others to files and look-ups of names. */
const maxSimultaneous = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** Each derivation takes 46 MiB, so that only a few may run at once over all callers. */
async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxSimultaneous) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

type Cost = Pick<typeof parameters, 'memory' | 'passes' | 'parallelism'>;

const tagOf = (password: string, nonce: Buffer, cost: Cost): Promise<Buffer> =>
  withSlot(async () => Buffer.from(await derive('argon2id', { ...parameters, ...cost, message: password.normalize('NFKC'), nonce })));

/** `argon2id$m=…,t=…,p=…$nonce$tag`, nonce and tag in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await tagOf(password, nonce, parameters);
  return `argon2id$m=${parameters.memory},t=${parameters.passes},p=${parameters.parallelism}$${nonce.toString('base64url')}$${tag.toString('base64url')}`;
}

/** A hash no password has; checking against it takes as long as against a real one, so that an unknown account can't be told by time. */
const nobody = `argon2id$m=${parameters.memory},t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Compares at the cost that the stored hash was made with. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, cost = '', nonce = '', tag = ''] = (stored || nobody).split('$');
  const [memory = 0, passes = 0, parallelism = 0] = cost.split(',').map((part) => Number(part.slice(2)));
  const expected = Buffer.from(tag, 'base64url');
  const given = await tagOf(password, Buffer.from(nonce, 'base64url'), { memory, passes, parallelism });
  return Boolean(stored) && expected.length === given.length && timingSafeEqual(given, expected);
}
