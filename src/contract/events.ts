import { z } from 'zod';

/** What can happen, by its name on the wire. A feature that brings events of its own adds their names here. */
export const eventTypes = [
  'code.created',
  'code.changed',
  'code.removed',
  'code.restored',
  'code.exhausted',
  'code.target_expiring',
  'domain.created',
  'domain.changed',
  'domain.removed',
  'domain.replaced',
  'short_code.created',
  'short_code.changed',
  'short_code.removed',
  'webhook.test',
] as const;
export const eventType = z.enum(eventTypes);
export type EventType = z.infer<typeof eventType>;
