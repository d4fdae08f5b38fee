import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from './calls/queries.ts';
import { SessionProvider } from './calls/session.tsx';
import { usePageColors } from './look/pageColors.ts';
import { SiteProvider } from './site.tsx';

function Colored({ children }: { children: ReactNode }) {
  usePageColors();
  return children;
}

/** What every page finds above it: answers, site, colours, session. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <SiteProvider>
        <Colored>
          <SessionProvider>{children}</SessionProvider>
        </Colored>
      </SiteProvider>
    </QueryClientProvider>
  );
}
