import { z } from 'zod';
import type { Call } from '../../../contract/kit/call.ts';
import { maxBytesKey } from '../../../contract/kit/json.ts';

/** What is read of the JSON schema of an input. */
export type InputSchema = {
  type?: string;
  properties?: Record<string, InputSchema>;
  additionalProperties?: boolean | InputSchema;
  items?: InputSchema;
  enum?: unknown[];
  anyOf?: InputSchema[];
  oneOf?: InputSchema[];
  allOf?: InputSchema[];
  format?: string;
  maxLength?: number;
  maxItems?: number;
  [maxBytesKey]?: number;
};

export const inputSchema = (input: z.ZodType): InputSchema =>
  z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', cycles: 'ref', target: 'openapi-3.0' }) as InputSchema;

/** Programs write a character beyond ASCII as `\uXXXX`. */
const bytesPerCharacter = 6;
const numberBytes = 24;
/** Formats of a fixed length, which schemas give no `maxLength`. */
const formatBytes: Record<string, number> = { uuid: 38, date: 12, ipv4: 17 };

/**
 * The bytes that the longest input takes as JSON, or infinity where something in it has no bound: an array without `maxItems`, a string
 * without `maxLength`, an object of any keys that does not say its size.
 * @param onUnbounded told the path of each part without a bound
 */
export function maxBytes(schema: InputSchema, onUnbounded: (path: string) => void = () => {}, path = ''): number {
  const stated = schema[maxBytesKey];
  if (stated !== undefined) return stated;
  const choices = schema.anyOf ?? schema.oneOf;
  const bytes = choices
    ? Math.max(...choices.map((choice) => maxBytes(choice, onUnbounded, path)))
    : Math.min(ownBytes(schema, onUnbounded, path), ...(schema.allOf ?? []).map((part) => maxBytes(part, () => {}, path)));
  if (bytes === Number.POSITIVE_INFINITY) onUnbounded(path);
  return bytes;
}

function ownBytes(schema: InputSchema, onUnbounded: (path: string) => void, path: string): number {
  if (schema.enum) return Math.max(...schema.enum.map((value) => JSON.stringify(value).length));
  switch (schema.type) {
    case 'object': {
      if (typeof schema.additionalProperties === 'object') return Number.POSITIVE_INFINITY;
      const parts = Object.entries(schema.properties ?? {});
      return parts.reduce((sum, [key, part]) => sum + key.length + 4 + maxBytes(part, onUnbounded, `${path}.${key}`), 2);
    }
    case 'array':
      return 2 + (schema.maxItems ?? Number.POSITIVE_INFINITY) * (1 + maxBytes(schema.items ?? {}, onUnbounded, `${path}[]`));
    case 'string':
      return formatBytes[schema.format ?? ''] ?? 2 + (schema.maxLength ?? Number.POSITIVE_INFINITY) * bytesPerCharacter;
    case 'integer':
    case 'number':
      return numberBytes;
    case 'boolean':
      return 5;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

const bytesOfInputs = new WeakMap<z.ZodType, number>();

/** The bytes that the longest input of a schema takes, found once a process: the schema is described for it. */
function neededBytes(input: z.ZodType): number {
  const bytes = bytesOfInputs.get(input) ?? maxBytes(inputSchema(input));
  bytesOfInputs.set(input, bytes);
  return bytes;
}

const publicBytes = 8 * 1024;
const usualBytes = 64 * 1024;
/** More than this a call has to state in the contract. */
const maxDerivedBytes = 2_000_000;
/** Of white space, and of the `request_id`. */
const slack = 1.1;

/** The greatest body of a call: what the contract states, else what its input may need, and at least what small calls share. */
export function bodyLimitOf({ access, bodyLimit, input }: Pick<Call, 'access' | 'bodyLimit' | 'input'>): number {
  if (bodyLimit !== undefined) return bodyLimit;
  const needed = Math.ceil(neededBytes(input) * slack) + 100;
  if (needed > maxDerivedBytes) throw new Error(`the input needs up to ${needed} bytes: the call has to state its bodyLimit`);
  return Math.max(access.kind === 'public' ? publicBytes : usualBytes, needed);
}

const maxKeys = 1000;
const deepest = 24;

/**
 * How many values a body of JSON holds, or undefined where it is deeper or one of its objects has more keys than any call takes. Walks without
 * calling itself, so that no body exhausts the stack.
 */
export function countValues(body: unknown): number | undefined {
  let count = 0;
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return undefined;
    const next: unknown[] = [];
    for (const value of level) {
      if (value === null || typeof value !== 'object') continue;
      const parts = Array.isArray(value) ? value : Object.values(value);
      if (parts !== value && parts.length > maxKeys) return undefined;
      count += parts.length;
      for (const part of parts) next.push(part);
    }
    level = next;
  }
  return count;
}
