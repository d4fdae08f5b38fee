import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { MenuItem, UserInfo } from '../../contract/admin.ts';
import type { NodeKey } from '../../contract/permissions.ts';
import { type ApiFailure, api, followOtherTabs, keepToken, readTokenState, subscribeToToken } from './api.ts';
import { currentLanguage } from './i18n.ts';
import { useCall } from './query.ts';

type Credentials = { account: string; password: string };

export type Session = {
  /** The logged-in user; null without a session. */
  user: UserInfo | null;
  menu: readonly MenuItem[];
  /** A token is held, whether or not its user is known yet. */
  isLoggedIn: boolean;
  /** Whether the user may open a screen or use a button. */
  allows: (node: NodeKey) => boolean;
  /** Logs in; throws ApiFailure. */
  logIn: (credentials: Credentials) => Promise<void>;
  logOut: () => Promise<void>;
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

const hour = 3_600_000;

export function SessionProvider({ children }: { children: ReactNode }) {
  const { token, isExpired } = useSyncExternalStore(subscribeToToken, readTokenState);
  const client = useQueryClient();
  const isKnown = token !== null;
  const info = useCall(api.admin.get_info, {}, { enabled: isKnown, staleTime: hour, placeholderData: undefined });
  const tree = useCall(api.admin.get_token_menu, {}, { enabled: isKnown, staleTime: hour, placeholderData: undefined });

  useEffect(followOtherTabs, []);

  // Answers of one user must never be shown to the next one on the same machine.
  useEffect(() => {
    if (token === null && !isExpired) client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'website' });
  }, [token, isExpired, client]);

  // A session whose user cannot be named is no session (a refusal to answer, unlike an unreachable server, is final).
  const refused = info.error !== null && info.error.status >= 400 && info.error.status < 500;
  useEffect(() => {
    if (refused) keepToken(null);
  }, [refused]);

  const isHeld = isKnown || isExpired;
  const user = isHeld ? (info.data?.user_info ?? null) : null;
  const menu = isHeld ? tree.data?.tree_menu_arr : undefined;
  const failure = info.error ?? tree.error;
  const session = useMemo<Session>(() => {
    const allowed = pathsOf(menu ?? []);
    return {
      user,
      menu: menu ?? [],
      isLoggedIn: isKnown,
      allows: (node) => allowed.has(node),
      async logIn(credentials) {
        const answer = await api.admin.login({ ...credentials, language: currentLanguage() });
        client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'website' });
        keepToken(answer.token);
        client.setQueryData(['admin', 'get_info', {}], answer);
      },
      async logOut() {
        // The session ends here even when the server cannot be told.
        await api.admin.logout({}).catch(() => {});
        keepToken(null);
      },
      state: user && menu ? 'ready' : !isKnown ? 'none' : failure ? 'failed' : 'loading',
      failure,
      retry: () => void client.refetchQueries({ queryKey: ['admin'] }),
    };
  }, [user, menu, isKnown, failure, client]);

  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Shows its children only to users who hold the node. */
export function Allowed({ node, children }: { node: NodeKey; children: ReactNode }) {
  return useSession().allows(node) ? children : null;
}
