import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { admin, MenuItem, UserInfo } from '../../../contract/people/admin.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { keepDeviceToken } from './deviceTokens.ts';
import { useCall } from './queries.ts';
import { type ApiFailure, followOtherTabs, keepOwnToken, keepToken, readTokenState, subscribeToToken, takeOwnToken } from './request.ts';
import { start } from './start.ts';

/** What every call answers that opens a session. */
type SessionInfo = OutputOf<(typeof admin)['calls']['get_info']>;

/** The answer of a login or registration. */
export type LoginInfo = OutputOf<(typeof admin)['calls']['login']>;

type Session = {
  /** The logged-in user; null without a session. */
  user: UserInfo | null;
  menu: readonly MenuItem[];
  /** A token is held, whether or not its user is known yet. */
  isLoggedIn: boolean;
  /** Whether the user may open a screen or use a button. */
  allows: (node: NodeKey) => boolean;
  isAdministrator: boolean;
  /** Whether the user may change a row of a list: an agent sees the customers' rows too, but only their owners change them. */
  mayChange: (row: { owner_id: number | null }) => boolean;
  /** Works in the session that a login or registration has opened. */
  enter: (session: LoginInfo) => void;
  logOut: () => Promise<void>;
  /** The administrator who works as this user, if one does. */
  impersonator: SessionInfo['impersonator'];
  /** Works on in a session as another user; `returnToSelf`, or its end, leads back to the own one. */
  actAs: (session: SessionInfo) => void;
  returnToSelf: () => Promise<void>;
  /** Nothing but setting up a second factor is open to this user. */
  mustEnrol: boolean;
  /** `none`: nobody is logged in; `loading`: a token is there, its user isn't yet; `failed`: the server could not be asked. */
  state: 'none' | 'loading' | 'ready' | 'failed';
  failure: ApiFailure | null;
  retry: () => void;
};

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider above it.');
  return session;
}

function pathsOf(items: readonly MenuItem[], found = new Set<string>()): Set<string> {
  for (const item of items) {
    if (item.path) found.add(item.path);
    pathsOf(item.children, found);
  }
  return found;
}

/** Drops what is held of the server's answers with the session: those of one user must never be shown to the next one on the machine. */
function useAnswersOfOneUser(token: string | null, isHeld: boolean): void {
  const client = useQueryClient();
  // Where no user was, a public page may be waiting for its own answers.
  const wasHeld = useRef(isHeld);
  useEffect(() => {
    if (wasHeld.current && !isHeld) client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'website' });
    wasHeld.current = isHeld;
  }, [isHeld, client]);

  // One session takes the place of another at once: acting as another user, or a login in another tab.
  const former = useRef(token);
  useEffect(() => {
    if (former.current !== null && token !== null && former.current !== token) {
      void client.resetQueries({ predicate: (query) => query.queryKey[0] !== 'website' });
    }
    former.current = token;
  }, [token, client]);
}

const hour = 3_600_000;

export function SessionProvider({ children }: { children: ReactNode }) {
  const { token, isExpired } = useSyncExternalStore(subscribeToToken, readTokenState);
  const client = useQueryClient();
  const isKnown = token !== null;
  const info = useCall(start.get_info, {}, { enabled: isKnown, staleTime: hour, placeholderData: undefined });
  const tree = useCall(start.get_token_menu, {}, { enabled: isKnown, staleTime: hour, placeholderData: undefined });

  useEffect(followOtherTabs, []);

  const isHeld = isKnown || isExpired;
  useAnswersOfOneUser(token, isHeld);

  // A session whose user cannot be named is no session (a refusal to answer, unlike an unreachable server or one that is asked too much, is
  // final; 401 ended it already).
  const refused =
    info.error !== null && info.error.status >= 400 && info.error.status < 500 && ![401, 408, 429].includes(info.error.status);
  useEffect(() => {
    if (refused) keepToken(null);
  }, [refused]);

  const user = isHeld ? (info.data?.user_info ?? null) : null;
  const menu = isHeld ? tree.data?.tree_menu_arr : undefined;
  const failure = info.error ?? tree.error;
  const session = useMemo<Session>(() => {
    const allowed = pathsOf(menu ?? []);
    const isAdministrator = user?.role.kind === 'super' || user?.role.kind === 'administrator';
    const endHere = () => start.logout({}).catch(() => {});
    function enter({ device_token, failures: _failures, ...answer }: LoginInfo) {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'website' });
      keepDeviceToken(answer.user_info.account, device_token);
      keepToken(answer.token);
      client.setQueryData(['admin', 'get_info', {}], answer);
    }
    return {
      user,
      menu: menu ?? [],
      isLoggedIn: isKnown,
      allows: (node) => allowed.has(node),
      isAdministrator,
      mayChange: (row) => isAdministrator || row.owner_id === user?.id,
      enter,
      async logOut() {
        const own = takeOwnToken();
        if (own) keepToken(own);
        // The session ends here at once, even when the server cannot be told; the one as another user ends with the own one.
        const told = endHere();
        keepToken(null);
        await told;
      },
      impersonator: (isHeld && info.data?.impersonator) || null,
      actAs(answer) {
        keepOwnToken();
        keepToken(answer.token);
      },
      async returnToSelf() {
        await endHere();
        keepToken(takeOwnToken());
      },
      mustEnrol: isHeld && info.data?.must_enrol === true,
      state: user && menu ? 'ready' : !isKnown ? 'none' : failure ? 'failed' : 'loading',
      failure,
      retry: () => void client.refetchQueries({ queryKey: ['admin'] }),
    };
  }, [user, menu, isHeld, isKnown, info.data, failure, client]);

  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Shows its children only to users who hold the node. */
export function Allowed({ node, children }: { node: NodeKey; children: ReactNode }) {
  return useSession().allows(node) ? children : null;
}
