import type { z } from 'zod';
import { line, oneOf } from '../kit/fields.ts';

/** Where a picture or link of the back office leads: the specification's 1 router push, 2 new window, 3 current window; 4 is "others custom". */
export const linkJumpTypes = [1, 2, 3, 4] as const;
export const linkJumpType = { router: 1, new_window: 2, current_window: 3, custom: 4 } as const;
export type LinkJumpType = (typeof linkJumpTypes)[number];

export const jumpFields = {
  jump_type: oneOf(linkJumpTypes),
  /** A screen's path (`/customer/home`) for 1, a web address for 2 and 3; any text, shown for copying, for 4. Empty leads nowhere. */
  jump_address: line(1000),
};

const route = /^\/(?![/\\])[\w\-./?=&%~:,]*$/;

/** What is wrong with an address of this type; undefined where nothing is. */
export function jumpFault(type: LinkJumpType, address: string): 'invalid_route' | 'invalid_url' | undefined {
  if (address === '' || type === linkJumpType.custom) return undefined;
  if (type === linkJumpType.router) return route.test(address) ? undefined : 'invalid_route';
  return /^https?:\/\/[^/\\?#]/i.test(address) && URL.canParse(address) ? undefined : 'invalid_url';
}

type Jump = { jump_type?: LinkJumpType | undefined; jump_address?: string | undefined };

/** Checks the two fields against each other where an input has both; the server checks what an update leaves out. */
export function checkJump({ jump_type, jump_address }: Jump, context: z.RefinementCtx): void {
  const fault = jump_type !== undefined && jump_address !== undefined ? jumpFault(jump_type, jump_address) : undefined;
  if (fault) context.addIssue({ code: 'custom', path: ['jump_address'], message: fault });
}
