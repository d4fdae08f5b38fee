import { createHashRouter } from 'react-router';
import { setAhead } from './kit/shell/startFrame.ts';
import { loadOfficeMessages } from './kit/texts/i18n.ts';
import { LoginPage } from './login/LoginPage.tsx';
import { StartFailure } from './start/StartFailure.tsx';

let office: Promise<typeof import('./routes.tsx')> | undefined;

/** Everything but the login, with its words; a failed try is made again with the next navigation. */
function loadOffice(): Promise<typeof import('./routes.tsx')> {
  office ??= readOffice().catch((error: unknown) => {
    office = undefined;
    throw error;
  });
  return office;
}

async function readOffice(): Promise<typeof import('./routes.tsx')> {
  const words = loadOfficeMessages();
  const routes = await import('./routes.tsx');
  await Promise.all([routes.prepareLook(), words]);
  return routes;
}
setAhead(() => {
  void loadOffice().catch(() => {});
  void import('./kit/calls/sealing.ts').catch(() => {});
});

let isPatched = false;

/** Begins with the login alone, which is small; all other pages are added when the first of them is opened. */
export const router = createHashRouter(
  [
    {
      id: 'start',
      errorElement: <StartFailure />,
      HydrateFallback: () => null,
      children: [{ path: 'admin_login', element: <LoginPage /> }],
    },
  ],
  {
    async patchRoutesOnNavigation({ patch, signal }) {
      const { officeRoutes } = await loadOffice();
      // Where the address was changed meanwhile, the router takes nothing from its former one: the next adds them.
      if (isPatched || signal.aborted) return;
      isPatched = true;
      patch('start', officeRoutes);
    },
  },
);
