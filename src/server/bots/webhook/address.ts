import { randomBytes } from 'node:crypto';
import type { Vault } from '../../kit/vault.ts';

export const webhookRoute = '/api/telegram/';

/** Nobody can guess it. */
export const newWebhookPath = (): string => randomBytes(24).toString('base64url');

export const webhookUrl = (base: string, path: string): string => `${base.replace(/\/+$/, '')}${webhookRoute}${path}`;

/** What Telegram sends along in a header, and nobody else knows: made of the master key and the address, so that nothing need keep it. */
export const webhookSecret = (vault: Vault, path: string): string => vault.mac(path, 'telegram webhook').toString('base64url');
