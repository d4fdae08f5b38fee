import { createStore, readLocal, writeLocal } from '../local.ts';
import { mix, readableOn } from './color.ts';

/** The specification's themes (1 light, 2 dark), and our third choice: whatever the system says. */
export const themeChoices = ['light', 'dark', 'system'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

const darkSystem = () => matchMedia('(prefers-color-scheme: dark)');
const stored = readLocal('theme');
const choice = createStore<ThemeChoice>(stored === '1' ? 'light' : stored === '2' ? 'dark' : 'system');

export const readThemeChoice = choice.get;
export function chooseTheme(value: ThemeChoice): void {
  writeLocal('theme', value === 'system' ? null : value === 'light' ? '1' : '2');
  choice.set(value);
}
export const isDark = () => (choice.get() === 'system' ? darkSystem().matches : choice.get() === 'dark');
export function subscribeToTheme(listener: () => void): () => void {
  const stop = choice.subscribe(listener);
  const system = darkSystem();
  system.addEventListener('change', listener);
  return () => {
    stop();
    system.removeEventListener('change', listener);
  };
}

export type Palette = {
  ground: string;
  surface: string;
  raised: string;
  border: string;
  hairline: string;
  text: string;
  textSoft: string;
  hover: string;
};

const light: Palette = {
  ground: '#f6f7f9',
  surface: '#ffffff',
  raised: '#ffffff',
  border: '#d5d9e0',
  hairline: '#e6e9ee',
  text: '#1b1f27',
  textSoft: '#5c6473',
  hover: '#f1f3f6',
};
const dark: Palette = {
  ground: '#0a0b0d',
  surface: '#131519',
  raised: '#1a1d22',
  border: '#363b45',
  hairline: '#252930',
  text: '#e7e9ee',
  textSoft: '#9aa3b2',
  hover: '#1d2026',
};
export const paletteOf = (isDarkTheme: boolean): Palette => (isDarkTheme ? dark : light);

/** Colours that carry meaning, readable as text on their theme's surface. */
export const meanings = {
  light: { success: '#15803d', warning: '#a15c07', error: '#c62828', info: '#1d4ed8' },
  dark: { success: '#4ade80', warning: '#fbbf24', error: '#f87171', info: '#7db0ff' },
} as const;

export const fontFamily =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif";

/** The ground of what is chosen or marked in the accent: a selected menu item, a row, an avatar. */
export const tintOf = (accent: string, isDarkTheme: boolean) => mix(paletteOf(isDarkTheme).surface, accent, isDarkTheme ? 0.22 : 0.1);

/** The accent as text: the nearest colour that can be read on the tint and on every ground. */
export function linkOf(accent: string, isDarkTheme: boolean): string {
  const { ground, surface, raised } = paletteOf(isDarkTheme);
  return [tintOf(accent, isDarkTheme), ground, surface, raised].reduce(readableOn, accent);
}
