import { lazy, Suspense } from 'react';
import type { Dialogs } from './useDialogs.ts';

const Loaded = lazy(async () => ({ default: (await import('./LiveCodeDialogs.tsx')).LiveCodeDialogs }));

/** The dialogs of the lists of codes, loaded with the first that is opened: the list itself is what one comes for. */
export function LiveCodeDialogs({ dialogs }: { dialogs: Dialogs }) {
  if (!dialogs.present) return null;
  return (
    <Suspense>
      <Loaded dialogs={dialogs} />
    </Suspense>
  );
}
