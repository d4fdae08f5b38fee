import { type Context, scopeOf } from '../../kit/calls/context.ts';

/** The same call on the caller's own rows, whatever his role: an administrator, too, writes only what is his. */
export const personal = (context: Context): Context => ({ ...context, scope: scopeOf(context.actor.user_id, 'customer') });
