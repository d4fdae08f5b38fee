import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { RobotKind } from '../../../contract/detection/shield-push.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { guardedRequest } from '../../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import type { Vault } from '../../kit/vault.ts';

const timeoutMilliseconds = 10_000;
const maxAnswerBytes = 16_384;
/** What a robot takes of one text, in bytes of UTF-8. */
const maxBytes: Record<RobotKind, number> = { wecom: 2048, dingtalk: 15_000, feishu: 15_000 };
/** Codes by which a robot says that it was sent too much; it takes more after a minute. */
const tooMany: Record<RobotKind, readonly number[]> = { wecom: [45_009], dingtalk: [130_101, 410_100, 660_026], feishu: [11_232, 9499] };
const pauseSeconds = 60;

/** Where a robot is reached, and what it checks signatures with; empty: nothing. */
export type Robot = { url: string; secret: string };

const sealedRobot = z.object({ url: z.string(), secret: z.string() });
/** The label that robots' addresses and secrets are sealed under. */
export const robotLabel = 'push robot';
export const sealRobot = (vault: Vault, robot: Robot): Buffer => vault.seal(Buffer.from(JSON.stringify(robot)), robotLabel);
export const openRobot = (vault: Vault, sealed: Uint8Array): Robot =>
  sealedRobot.parse(JSON.parse(vault.open(sealed, robotLabel).toString()));

type Signed = { url: string; body: object };

/**
 * DingTalk: HMAC-SHA256 of `{milliseconds}\n{secret}` with the secret, in the address. Feishu: HMAC-SHA256 of nothing with the key
 * `{seconds}\n{secret}`, in the body. WeCom knows no signature: its key is part of the address.
 */
export function signedMessage(kind: RobotKind, { url, secret }: Robot, text: string, now: Date): Signed {
  switch (kind) {
    case 'wecom':
      return { url, body: { msgtype: 'text', text: { content: text } } };
    case 'dingtalk': {
      const signed = new URL(url);
      if (secret !== '') {
        const timestamp = String(now.getTime());
        signed.searchParams.set('timestamp', timestamp);
        signed.searchParams.set('sign', createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64'));
      }
      return { url: signed.href, body: { msgtype: 'text', text: { content: text } } };
    }
    case 'feishu': {
      const message = { msg_type: 'text', content: { text } };
      if (secret === '') return { url, body: message };
      const timestamp = String(Math.floor(now.getTime() / 1000));
      return { url, body: { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).digest('base64'), ...message } };
    }
  }
}

/** The beginning of a text that takes at most so many bytes, never ended within a character. */
export function cutBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  const characters: string[] = [];
  let size = Buffer.byteLength('…');
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > max) break;
    characters.push(character);
  }
  return `${characters.join('')}…`;
}

const reply = z.object({
  errcode: z.number().optional(),
  errmsg: z.string().optional(),
  code: z.number().optional(),
  msg: z.string().optional(),
});

function parsed(body: string): z.infer<typeof reply> | undefined {
  try {
    return reply.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/** Writes to a group and answers what its robot said. Everything but its zero is a failure, whatever the status. */
export async function sendToRobot(
  network: GuardedNetwork,
  kind: RobotKind,
  robot: Robot,
  { text, now, proxy }: { text: string; now: Date; proxy: string },
): Promise<string> {
  const { url, body } = signedMessage(kind, robot, cutBytes(text, maxBytes[kind]), now);
  const answer = await guardedRequest(network, {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeout_ms: timeoutMilliseconds,
    maximum_bytes: maxAnswerBytes,
    proxy,
    cut: true,
  });
  const said = parsed(answer.body);
  const code = said?.errcode ?? said?.code;
  if (code === 0 && answer.status < 300) return answer.body;
  const retryAfter = /^\d{1,6}$/.test(answer.headers['retry-after'] ?? '') ? Number(answer.headers['retry-after']) : pauseSeconds;
  if (answer.status === 429 || (code !== undefined && tooMany[kind].includes(code)))
    throw new AppError(503, 'push.too_many', { retryAfterSeconds: retryAfter, params: { seconds: retryAfter } });
  const words = `${code ?? `HTTP ${answer.status}`} ${said?.errmsg ?? said?.msg ?? ''}`.trim().slice(0, 200);
  // What it says in its own words is about this robot or this message: the same again changes nothing.
  if (code !== undefined && answer.status < 500) throw new AppError(409, 'push.refused', { params: { reason: words } });
  throw new AppError(502, 'push.failed', { params: { reason: words } });
}
