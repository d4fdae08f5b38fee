import { createHmac, randomBytes } from 'node:crypto';
import { secretPrefix } from '../../contract/people/webhook.ts';

/** The label that secrets are sealed under. */
export const secretLabel = 'webhook secret';

/** A new key, and how its owner writes it. */
export function newSecret(): { key: Buffer; secret: string } {
  const key = randomBytes(32);
  return { key, secret: `${secretPrefix}${key.toString('base64')}` };
}

/** Headers by which a receiver knows a delivery for ours, and for the same one when it comes again: standardwebhooks.com, version 1. */
export function signedHeaders(key: Buffer, { id, at, body }: { id: string; at: Date; body: string }): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
