import { type Context, scopeOf } from '../kit/calls/context.ts';

/** The same call on the caller's own rows, whatever his role: what somebody is told of, and where, is his own business. */
export const personal = (context: Context): Context => ({ ...context, scope: scopeOf(context.actor.user_id, 'customer') });
