import { paletteOf } from '../look/theme.ts';

/** Eight colours that colour-blind eyes can tell apart (after Okabe and Ito), tuned for each ground. */
const lightSeries = ['#1f6feb', '#c2570c', '#0f8a6a', '#9a3fb5', '#8a6d00', '#0b7fab', '#b3265e', '#5b6472'] as const;
const darkSeries = ['#6ea8fe', '#f59e5b', '#3fcf9f', '#d08bea', '#e5c453', '#56c7ee', '#f584ab', '#a9b3c1'] as const;

export const seriesColors = (isDark: boolean): readonly string[] => (isDark ? darkSeries : lightSeries);
export const seriesColor = (at: number, isDark: boolean): string => {
  const colors = seriesColors(isDark);
  return colors[at % colors.length] ?? colors[0] ?? '#1f6feb';
};

/** Which of the colours a figure of visits has wherever it is drawn: what was refused never looks well. */
export const figureColors = { visits: 0, ips: 1, new_ips: 3, refused: 6, programs: 7, own: 5 } as const;

export function chartPalette(isDark: boolean) {
  const palette = paletteOf(isDark);
  return { text: palette.textSoft, line: palette.hairline, axis: palette.border, surface: palette.raised, strong: palette.text };
}
