import { useMemo } from 'react';
import { useSite } from '../site.tsx';
import type { Endpoint } from './api.ts';
import { sealPassword } from './sealing.ts';

/**
 * The same call with these fields sealed on their way. While the server's key is unknown they go as they are. A password that is sent
 * again is sealed once only: a repeated request has to be the same to the letter.
 */
export function useSealed<I extends object, O>(endpoint: Endpoint<I, O>, fields: readonly (keyof I & string)[]): Endpoint<I, O> {
  const { socket_public_key } = useSite();
  const names = fields.join(' ');
  return useMemo(() => {
    if (socket_public_key === '') return endpoint;
    const done = new Map<string, string>();
    const call = `${endpoint.group}/${endpoint.action}`;
    function sealOnce(field: string, password: string): string {
      const key = `${field} ${password}`;
      const sealed = done.get(key) ?? sealPassword(password, socket_public_key, call, field);
      done.set(key, sealed);
      return sealed;
    }
    const send: (...given: Parameters<typeof endpoint>) => Promise<O> = (input, options) => {
      // An empty or missing password stays what it is: what the server says about it must not depend on sealing.
      const typed = Object.entries(input).filter(([field, value]) => names.split(' ').includes(field) && value);
      if (typed.length === 0) return endpoint(input, options);
      const sealed = Object.fromEntries(typed.map(([field, value]) => [field, sealOnce(field, String(value))]));
      return endpoint({ ...input, ...sealed, encrypted: true }, options);
    };
    const { group, action, path, call: contract } = endpoint;
    return Object.assign(send, { group, action, path, call: contract });
  }, [endpoint, names, socket_public_key]);
}
