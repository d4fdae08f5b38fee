import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { TaskFault } from '../../kit/bounded/processes.ts';
import { createBoundedTasks, userKey } from '../../kit/bounded/tasks.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { visitUrl } from '../../kit/visits/visit-address.ts';
import { readPicture } from '../answers/pictures.ts';
import { createLruCache } from '../memory/lru-cache.ts';
import type { Memory } from '../memory/memory.ts';
import type { Site } from '../memory/site.ts';
import type { Code } from '../model.ts';
import type { Query } from '../rotation/leases.queries.ts';
import type { Ending } from '../visits/ending.ts';
import { judge } from '../visits/judge.ts';
import { refusalOf } from '../visits/refusals.ts';
import type { Visit } from '../visits/visit.ts';
import type { AskedImage } from './asked.ts';
import { type ImageAnswer, type ImageFormat, type ImageTask, imageProgram } from './images.program.ts';
import { createSharedWork } from './shared-work.ts';

export interface QrImages {
  /** Answers the image of a code, which is no visit. Never throws. */
  take(visit: Visit, asked: AskedImage): void;
}

export interface ImageMeans {
  /** Reads what visits wait for. */
  query: Query;
  dataDir: string;
  /** A design has letters that no font of this machine has. */
  onLackingLetters: () => void;
}

interface Options extends ImageMeans {
  memory: Memory;
  ending: Ending;
  onError: (error: unknown) => void;
}

/** How a code is drawn, as it was saved when `code` was read. */
interface Look {
  code: Code;
  /** As JSON; null is the plain one. */
  design: string | null;
  digest: string;
}

/** What visits are refused for, and images with them. A code that is closed, or whose owner is, may still be printed. */
const refused: ReadonlySet<string> = new Set(['unknown_host', 'blocked_ip', 'not_found', 'frozen'] as const);

const lookCharacters = 8 * 2 ** 20;
const imageBytes = 16 * 2 ** 20;
/** Whoever shows an image shows the one before a change no longer than this; after it he asks with its tag. */
const freshSeconds = 60;

/** An image of the largest size, and a logo unpacked. */
const costBytes = 200_000_000;
const timeoutMilliseconds = 3_000;
/** One at a time in a process of a low rank, whatever is asked for; who waits in vain is told to come again. */
const bounds = { maxRunning: 1, maxWaiting: 24, maxWaitingOfKey: 6, budgetBytes: 350_000_000 };

const contentTypes: Record<ImageFormat, string> = { png: 'image/png', svg: 'image/svg+xml; charset=utf-8' };

export function createQrImages({ memory, ending, query, dataDir, onLackingLetters, onError }: Options): QrImages {
  const tasks = createBoundedTasks(bounds);
  const looks = createLruCache<Look>(lookCharacters, ({ design }) => 200 + (design?.length ?? 0));
  const images = createLruCache<Uint8Array>(imageBytes, (bytes) => 200 + bytes.length);
  const reading = createSharedWork<Code, Look>();
  const drawing = createSharedWork<string, Uint8Array>();

  const refuse = (visit: Visit): void => {
    ending.begin();
    ending.refuse(visit.response, visit.page_language);
  };

  const readLook = async (code: Code): Promise<Look> => {
    const rows = await query<{ design: string | null }>({
      name: 'image_design',
      text: 'SELECT qr_design::text AS design FROM live_code WHERE id = $1',
      values: [code.id],
    });
    const design = rows[0]?.design ?? null;
    const look = { code, design, digest: hash('sha256', design ?? '', 'base64url') };
    looks.set(code.file_name, look);
    return look;
  };

  /** A code that changed is another object, so that its look is read anew. */
  const lookOf = (code: Code): Look | Promise<Look> => {
    const known = looks.get(code.file_name);
    return known?.code === code ? known : reading.of(code, () => readLook(code));
  };

  const draw = async (tag: string, text: string, { design, code }: Look, { format, size, margin }: AskedImage): Promise<Uint8Array> => {
    const key = userKey(code.owner_id);
    const task = { key, costBytes, timeoutMilliseconds };
    try {
      const picture = await pictureOf(dataDir, design);
      const drawn: ImageAnswer = await tasks.run(imageProgram, task, { text, design, picture, format, size, margin });
      if (drawn.lacks_letters) onLackingLetters();
      images.set(tag, drawn.bytes);
      return drawn.bytes;
    } catch (error) {
      if (error instanceof TaskFault && error.isTooMuch) tasks.holdBack(key);
      throw error;
    }
  };

  const answer = async (visit: Visit, site: Site, code: Code, asked: AskedImage): Promise<void> => {
    const text = textOf(visit, site, code);
    const look = await lookOf(code);
    const tag = hash('sha256', [text, look.digest, asked.format, asked.size, asked.margin].join('\n'), 'base64url');
    const { response } = visit;
    if (isKnown(response.req.headers['if-none-match'], tag)) {
      response.writeHead(304, headersOf(asked.format, tag)).end();
      return;
    }
    const bytes = images.get(tag) ?? (await drawing.of(tag, () => draw(tag, text, look, asked)));
    response.writeHead(200, [...headersOf(asked.format, tag), 'content-length', String(bytes.length)]);
    if (response.req.method === 'HEAD') response.end();
    else response.end(bytes);
  };

  const proceed = (visit: Visit, asked: AskedImage, isLoaded: boolean): void => {
    const site = memory.site();
    if (!site) {
      refuse(visit);
      return;
    }
    const { file_name } = visit;
    const code = file_name === '' ? null : isLoaded ? memory.findKnown(file_name) : memory.find(file_name);
    visit.is_blocked = site.blacklist.size > 0 && site.blacklist.has(visit.ip);
    const verdict = judge(visit, site, code);
    if (refused.has(verdict)) {
      ending.begin();
      ending.answerUnrecorded(
        visit,
        refusalOf(visit, site, code ?? null, verdict as 'unknown_host' | 'blocked_ip' | 'not_found' | 'frozen'),
      );
    } else if (code) answer(visit, site, code, asked).catch((error) => fail(visit, error));
    else if (isLoaded) refuse(visit);
    else memory.load(file_name, () => settle(visit, () => proceed(visit, asked, true)));
  };

  const fail = (visit: Visit, error: unknown): void => {
    // Busy, too much, or without the database: that is told by the answer.
    if (!(error instanceof AppError)) onError(error);
    if (visit.response.headersSent) visit.response.destroy();
    else refuse(visit);
  };

  const settle = (visit: Visit, act: () => void): void => {
    try {
      act();
    } catch (error) {
      fail(visit, error);
    }
  };

  return {
    take(visit, asked) {
      visit.file_name = asked.file_name;
      settle(visit, () => proceed(visit, asked, false));
    },
  };
}

/** What the image of the key that was asked for holds; where its entry domain is gone, its address on the host that was asked, which answers it too. */
function textOf(visit: Visit, { hosts, settings, signing_key }: Site, code: Code): string {
  const entry = code.entry_domain_id === null ? undefined : hosts.byId(code.entry_domain_id);
  const means = { scheme: settings.visit_scheme, signingKey: signing_key };
  const host = entry?.host ?? visit.domain?.host ?? visit.asked_host;
  return visitUrl({ file_name: visit.file_name, access_mode: code.access_mode }, { host, enabled: true }, means) ?? '';
}

const uploaded = /^\/(?:~file|file)\/([a-z0-9.]+)$/;

/** The uploaded picture that a design names as its logo. */
async function pictureOf(dataDir: string, design: string | null): Promise<ImageTask['picture']> {
  const src = design === null ? undefined : (JSON.parse(design) as { logo?: { src?: unknown } | null } | null)?.logo?.src;
  const [, name] = typeof src === 'string' ? (uploaded.exec(src) ?? []) : [];
  return name === undefined ? null : readPicture(dataDir, name);
}

const isKnown = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${tag}"` || one.trim() === '*') ?? false;

const headersOf = (format: ImageFormat, tag: string): string[] => [
  ...['content-type', contentTypes[format]],
  ...['etag', `"${tag}"`],
  ...['cache-control', `public, max-age=${freshSeconds}`],
  ...['x-content-type-options', 'nosniff'],
  // An SVG that is opened by itself is a page of this host.
  ...['content-security-policy', "default-src 'none'; img-src data:; sandbox"],
  // Other sites show it, and draw it into pictures of theirs.
  ...['access-control-allow-origin', '*'],
];

export function answerFault(response: ServerResponse, fault: string): void {
  const body = `${fault}\n`;
  response
    .writeHead(400, ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-store', 'content-length', String(body.length)])
    .end(body);
}
