import { theme as antdTheme, type ThemeConfig } from 'antd';
import { createStore, readLocal, writeLocal } from '../local.ts';
import { mix, readableOn, textOn } from './color.ts';

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
export const monoFamily = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Noto Sans Mono', monospace";

/** The ground of what is chosen or marked in the accent: a selected menu item, a row, an avatar. */
export const tintOf = (accent: string, isDarkTheme: boolean) => mix(paletteOf(isDarkTheme).surface, accent, isDarkTheme ? 0.22 : 0.1);

/** The accent as text: the nearest colour that can be read on the tint and on every ground. */
export function linkOf(accent: string, isDarkTheme: boolean): string {
  const { ground, surface, raised } = paletteOf(isDarkTheme);
  return [tintOf(accent, isDarkTheme), ground, surface, raised].reduce(readableOn, accent);
}

/** Grounds and borders of alerts and tags: antd derives them from colours that are already dark, which turns out muddy. */
function groundsOf({ surface }: Palette, meaning: Record<'success' | 'warning' | 'error', string>, accent: string) {
  const ground = (color: string) => mix(surface, color, 0.08);
  const border = (color: string) => mix(surface, color, 0.3);
  return {
    colorSuccessBg: ground(meaning.success),
    colorSuccessBorder: border(meaning.success),
    colorWarningBg: ground(meaning.warning),
    colorWarningBorder: border(meaning.warning),
    colorErrorBg: ground(meaning.error),
    colorErrorBorder: border(meaning.error),
    colorInfoBg: ground(accent),
    colorInfoBorder: border(accent),
  };
}

type MappingAlgorithm = Exclude<NonNullable<ThemeConfig['algorithm']>, unknown[]>;

/**
 * antd derives the colours of the dark theme from ours and darkens them; what must stay readable as text is set afterwards.
 * Text in the accent is the nearest readable mix, surfaces (buttons, ticks) keep the accent itself.
 */
function algorithmOf(accent: string, isDarkTheme: boolean): MappingAlgorithm {
  const palette = paletteOf(isDarkTheme);
  const meaning = isDarkTheme ? meanings.dark : meanings.light;
  const link = linkOf(accent, isDarkTheme);
  const base = isDarkTheme ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm;
  return (seed, map) => ({
    ...base(seed, map),
    colorPrimary: link,
    colorPrimaryText: link,
    colorPrimaryHover: mix(link, palette.text, 0.12),
    colorPrimaryActive: mix(link, palette.text, 0.24),
    colorLink: link,
    colorLinkHover: mix(link, palette.text, 0.25),
    colorLinkActive: mix(link, palette.text, 0.4),
    colorInfo: link,
    colorInfoText: link,
    colorSuccess: meaning.success,
    colorSuccessText: meaning.success,
    colorWarning: meaning.warning,
    colorWarningText: meaning.warning,
    colorError: meaning.error,
    colorErrorText: meaning.error,
    colorErrorHover: mix(meaning.error, palette.text, 0.2),
    colorErrorActive: mix(meaning.error, palette.text, 0.35),
    colorErrorTextHover: mix(meaning.error, palette.text, 0.2),
    colorErrorTextActive: mix(meaning.error, palette.text, 0.35),
    ...groundsOf(palette, meaning, accent),
  });
}

/** The accent as a surface, with its states, which move away from the colour of the words on it. */
function solid(accent: string) {
  const away = textOn(accent) === '#ffffff' ? '#000000' : '#ffffff';
  return { colorPrimary: accent, colorPrimaryHover: mix(accent, away, 0.14), colorPrimaryActive: mix(accent, away, 0.26) };
}

/** antd's theme for the site's colour: hairlines instead of shadows, radius 8, 14 px text, 13 px tables. */
export function themeOf(accent: string, isDarkTheme: boolean): ThemeConfig {
  const palette = paletteOf(isDarkTheme);
  const meaning = isDarkTheme ? meanings.dark : meanings.light;
  const link = linkOf(accent, isDarkTheme);
  return {
    algorithm: algorithmOf(accent, isDarkTheme),
    token: {
      colorPrimary: accent,
      colorInfo: accent,
      colorSuccess: meaning.success,
      colorWarning: meaning.warning,
      colorError: meaning.error,
      colorBgLayout: palette.ground,
      colorBgContainer: palette.surface,
      colorBgElevated: palette.raised,
      colorBorder: palette.border,
      colorBorderSecondary: palette.hairline,
      colorSplit: palette.hairline,
      colorText: palette.text,
      colorTextHeading: palette.text,
      colorTextSecondary: palette.textSoft,
      colorTextTertiary: palette.textSoft,
      colorTextDescription: palette.textSoft,
      colorTextPlaceholder: palette.textSoft,
      colorIcon: palette.textSoft,
      fontFamily,
      fontFamilyCode: monoFamily,
      fontSize: 14,
      lineHeight: 1.5,
      borderRadius: 8,
      borderRadiusLG: 10,
      borderRadiusSM: 6,
      controlHeight: 34,
      controlOutlineWidth: 3,
      motionDurationSlow: '0.2s',
      motionDurationMid: '0.18s',
      motionDurationFast: '0.15s',
    },
    components: {
      Button: {
        ...solid(accent),
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        primaryColor: textOn(accent),
        dangerColor: textOn(meaning.error),
        defaultHoverColor: link,
        defaultHoverBorderColor: link,
        defaultActiveColor: link,
        defaultActiveBorderColor: link,
        fontWeight: 500,
      },
      // The box is all there is to see of an empty one: 3:1 on every ground.
      Checkbox: { ...solid(accent), colorBorder: mix(palette.surface, palette.textSoft, 0.75) },
      Radio: { colorBorder: mix(palette.surface, palette.textSoft, 0.75) },
      Switch: { ...solid(accent), trackHeight: 24, handleSize: 20, trackMinWidth: 46 },
      Menu: {
        itemBg: 'transparent',
        subMenuItemBg: 'transparent',
        itemColor: palette.text,
        itemHoverBg: palette.hover,
        itemSelectedBg: tintOf(accent, isDarkTheme),
        itemSelectedColor: link,
        subMenuItemSelectedColor: palette.text,
        itemHeight: 36,
        itemMarginInline: 8,
        itemMarginBlock: 2,
        itemBorderRadius: 8,
        activeBarBorderWidth: 0,
      },
      Table: {
        fontSize: 13,
        headerBg: palette.surface,
        headerColor: palette.textSoft,
        headerSplitColor: 'transparent',
        headerSortActiveBg: palette.hover,
        headerSortHoverBg: palette.hover,
        bodySortBg: palette.surface,
        rowHoverBg: palette.hover,
        rowSelectedBg: mix(palette.surface, accent, isDarkTheme ? 0.16 : 0.07),
        rowSelectedHoverBg: mix(palette.surface, accent, isDarkTheme ? 0.22 : 0.1),
        borderColor: palette.hairline,
        stickyScrollBarBg: palette.border,
        cellPaddingBlockSM: 7,
        cellPaddingBlockMD: 10,
        cellPaddingBlock: 14,
        cellPaddingInline: 12,
        cellPaddingInlineMD: 12,
        cellPaddingInlineSM: 10,
      },
      Form: { labelColor: palette.text, itemMarginBottom: 20, verticalLabelPadding: '0 0 6px' },
      Modal: { contentBg: palette.raised, headerBg: palette.raised, titleFontSize: 16 },
      Segmented: { trackBg: palette.hover, itemSelectedBg: isDarkTheme ? palette.border : palette.raised, itemColor: palette.textSoft },
      Tag: { defaultBg: palette.hover, defaultColor: palette.text },
      Tooltip: { colorBgSpotlight: isDarkTheme ? '#31363f' : '#23272f' },
      Layout: { headerBg: palette.surface, siderBg: palette.surface, bodyBg: palette.ground },
    },
  };
}
