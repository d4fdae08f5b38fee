import { useMemo } from 'react';
import { useSite } from '../site.tsx';
import type { Endpoint, Question } from './request.ts';

/**
 * The same call with these fields sealed on their way. While the server's key is unknown they go as they are. A password that is sent
 * again is sealed once only: a repeated request has to be the same to the letter. What seals is loaded with the first password.
 */
export function useSealed<I extends object, O>(endpoint: Endpoint<I, O>, fields: readonly (keyof I & string)[]): Endpoint<I, O>;
export function useSealed<I extends object, O>(endpoint: Question<I, O>, fields: readonly (keyof I & string)[]): Question<I, O>;
export function useSealed<I extends object, O>(endpoint: Question<I, O>, fields: readonly (keyof I & string)[]): Question<I, O> {
  const { socket_public_key } = useSite();
  const names = fields.join(' ');
  return useMemo(() => {
    if (socket_public_key === '') return endpoint;
    const done = new Map<string, string>();
    const call = `${endpoint.group}/${endpoint.action}`;
    async function sealOnce(field: string, password: string): Promise<string> {
      const { sealPassword } = await import('./sealing.ts');
      const key = `${field} ${password}`;
      const sealed = done.get(key) ?? sealPassword(password, socket_public_key, call, field);
      done.set(key, sealed);
      return sealed;
    }
    const send: (...given: Parameters<typeof endpoint>) => Promise<O> = async (input, options) => {
      // An empty or missing password stays what it is: what the server says about it must not depend on sealing.
      const typed = Object.entries(input).filter(([field, value]) => names.split(' ').includes(field) && value);
      if (typed.length === 0) return endpoint(input, options);
      const entries = typed.map(async ([field, value]) => [field, await sealOnce(field, String(value))] as const);
      return endpoint({ ...input, ...Object.fromEntries(await Promise.all(entries)), encrypted: true }, options);
    };
    // Group, action and path, and its contract where it has one.
    return Object.assign(send, { ...endpoint });
  }, [endpoint, names, socket_public_key]);
}
