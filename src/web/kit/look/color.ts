type Rgb = readonly [number, number, number];

/** Reads `#rrggbb`; anything else is read as black. */
function parse(color: string): Rgb {
  const digits = /^#([0-9a-f]{6})$/i.exec(color)?.[1] ?? '000000';
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb;
}

const format = (rgb: Rgb) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** `share` of `other` mixed into `color`, 0–1. */
export function mix(color: string, other: string, share: number): string {
  const [from, to] = [parse(color), parse(other)];
  return format([0, 1, 2].map((at) => (from[at] ?? 0) * (1 - share) + (to[at] ?? 0) * share) as unknown as Rgb);
}

/** Relative luminance by WCAG 2.2. */
function luminance(color: string): number {
  const [red, green, blue] = parse(color).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio by WCAG 2.2, 1–21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The colour itself, or the nearest mix with white or black that can be read as text on `ground` (4.5:1). */
export function readableOn(color: string, ground: string): string {
  const towards = luminance(ground) > 0.4 ? '#000000' : '#ffffff';
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(color, towards, share);
    if (contrast(candidate, ground) >= 4.5) return candidate;
  }
  return towards;
}

/** White, or black where white can't be read on the colour: one of the two always can (4.5:1). */
export const textOn = (color: string) => (contrast('#ffffff', color) >= 4.5 ? '#ffffff' : '#000000');
