import type { ReactNode } from 'react';
import { Brand } from './Brand.tsx';
import { useStarted } from './startFrame.ts';
import { LanguageSwitch, ThemeSwitch } from './switches.tsx';

/** The frame of a page that visitors see without menu: the site's name, the switches, and the page below. */
export function PublicPage({ className, children }: { className: string; children: ReactNode }) {
  useStarted();
  return (
    <div className={`lc-public ${className}`}>
      <header className="lc-public-top">
        <Brand />
        <div>
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
      </header>
      {children}
    </div>
  );
}
