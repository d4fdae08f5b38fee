import { useEffect, useSyncExternalStore } from 'react';
import { useSite } from '../site.tsx';
import { textOn } from './color.ts';
import { isDark, linkOf, meanings, paletteOf, subscribeToTheme, tintOf } from './theme.ts';

/** Whether the page is dark now. */
export const useIsDark = () => useSyncExternalStore(subscribeToTheme, isDark);

/** The site's colour. */
export function useAccent(): string {
  const { color } = useSite();
  return /^#[0-9a-f]{6}$/i.test(color) ? color : '#1f6feb';
}

/** The palette for our own style sheet, as custom properties of the document. */
export function usePageColors(): void {
  const accent = useAccent();
  const dark = useIsDark();
  useEffect(() => {
    const palette = paletteOf(dark);
    const meaning = dark ? meanings.dark : meanings.light;
    const style = document.documentElement.style;
    for (const [name, value] of Object.entries({ ...palette, ...meaning })) style.setProperty(`--lc-${name}`, value);
    style.setProperty('--lc-accent', accent);
    style.setProperty('--lc-onAccent', textOn(accent));
    style.setProperty('--lc-link', linkOf(accent, dark));
    style.setProperty('--lc-tint', tintOf(accent, dark));
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    style.colorScheme = dark ? 'dark' : 'light';
  }, [accent, dark]);
}
