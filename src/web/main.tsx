import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { Providers } from './kit/Providers.tsx';
import { startTranslation } from './kit/texts/i18n.ts';
import './kit/styles/index.css';
import { router } from './router.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
await startTranslation();
createRoot(root).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
