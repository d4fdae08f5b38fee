import { theme as antdTheme, type ThemeConfig } from 'antd';
import { mix, textOn } from './color.ts';
import { fontFamily, linkOf, meanings, type Palette, paletteOf, tintOf } from './theme.ts';

const monoFamily = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Noto Sans Mono', monospace";

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

type Ground = { accent: string; palette: Palette; meaning: (typeof meanings)['light' | 'dark']; isDarkTheme: boolean };

const tokensOf = ({ accent, palette, meaning }: Ground): ThemeConfig['token'] => ({
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
});

/** The grounds and words of what is chosen from and pressed. */
function controlsOf({ accent, palette, meaning, isDarkTheme }: Ground): ThemeConfig['components'] {
  const link = linkOf(accent, isDarkTheme);
  return {
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
    // Below dialogs and drawers: a message that stays must not lie on what one is doing.
    Notification: { zIndexPopup: 900 },
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
  };
}

const tableOf = ({ accent, palette, isDarkTheme }: Ground): NonNullable<ThemeConfig['components']>['Table'] => ({
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
});

/** antd's theme for the site's colour: hairlines instead of shadows, radius 8, 14 px text, 13 px tables. */
export function themeOf(accent: string, isDarkTheme: boolean): ThemeConfig {
  const palette = paletteOf(isDarkTheme);
  const ground = { accent, palette, meaning: isDarkTheme ? meanings.dark : meanings.light, isDarkTheme };
  return {
    algorithm: algorithmOf(accent, isDarkTheme),
    token: tokensOf(ground),
    components: {
      ...controlsOf(ground),
      Table: tableOf(ground),
      Form: { labelColor: palette.text, itemMarginBottom: 20, verticalLabelPadding: '0 0 6px' },
      Modal: { contentBg: palette.raised, headerBg: palette.raised, titleFontSize: 16 },
      Segmented: { trackBg: palette.hover, itemSelectedBg: isDarkTheme ? palette.border : palette.raised, itemColor: palette.textSoft },
      Pagination: { itemSizeSM: 32 },
      Tree: { nodeHoverBg: palette.hover },
      Tag: { defaultBg: palette.hover, defaultColor: palette.text },
      Tooltip: { colorBgSpotlight: isDarkTheme ? '#31363f' : '#23272f' },
      Layout: { headerBg: palette.surface, siderBg: palette.surface, bodyBg: palette.ground },
    },
  };
}
