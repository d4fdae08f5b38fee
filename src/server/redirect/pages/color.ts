/** Accents of one operator's colour that stay readable on our light and dark grounds. */
export type Theme = {
  /** For lines and text on our ground. */
  accent: string;
  dark_accent: string;
  /** For a button with large bold words. */
  button: string;
  button_ink: string;
  dark_button: string;
  dark_button_ink: string;
  /** A whole ground in the operator's colour, and the words on it. */
  brand: string;
  brand_ink: string;
  dark_brand: string;
  dark_brand_ink: string;
};

type Rgb = readonly [number, number, number];

export const lightGround = '#ffffff';
export const darkGround = '#12161b';
const defaultColor = '#1f6feb';
const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];
/** WCAG 2, level AA, for text, and for large bold text. */
const readableContrast = 4.5;
const largeTextContrast = 3;
/** Below this a button would melt into the ground. */
const visibleContrast = 1.3;

const parse = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

const format = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

const mix = (color: Rgb, other: Rgb, share: number): Rgb => {
  const part = (index: 0 | 1 | 2) => Math.round(color[index] * (1 - share) + other[index] * share);
  return [part(0), part(1), part(2)];
};

const luminance = (color: Rgb): number => {
  const linear = (part: number) => (part <= 10.31475 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
};

const contrastOf = (one: Rgb, other: Rgb): number => {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};

/** Contrast ratio of two `#rrggbb` colours, 1 to 21, by WCAG 2. */
export const contrast = (one: string, other: string): number => contrastOf(parse(one), parse(other));

const readableOn = (color: Rgb, ground: Rgb, towards: Rgb): Rgb => {
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(color, towards, share);
    if (contrastOf(candidate, ground) >= readableContrast) return candidate;
  }
  return towards;
};

const inkOn = (ground: Rgb): string => format(contrastOf(ground, white) >= contrastOf(ground, black) ? white : black);
/** White wherever it is legible at all: black words on a middle blue or red look like a switched-off button. */
const buttonInkOn = (button: Rgb): string => format(contrastOf(button, white) >= largeTextContrast ? white : black);

/** The theme of a colour given as `#rgb` or `#rrggbb`; anything else gives the product's blue, so that no text reaches a style sheet. */
export const themeOf = (color: string): Theme => {
  const long = /^#[0-9a-f]{3}$/i.test(color) ? color.replace(/[0-9a-f]/gi, '$&$&') : color;
  const rgb = parse(/^#[0-9a-f]{6}$/i.test(long) ? long : defaultColor);
  const dimmed = mix(rgb, black, 0.7);
  const [light, dark] = [parse(lightGround), parse(darkGround)];
  const accent = readableOn(rgb, light, black);
  const darkAccent = readableOn(rgb, dark, white);
  const button = contrastOf(rgb, light) >= visibleContrast ? rgb : accent;
  const darkButton = contrastOf(rgb, dark) >= visibleContrast ? rgb : darkAccent;
  return {
    accent: format(accent),
    dark_accent: format(darkAccent),
    button: format(button),
    button_ink: buttonInkOn(button),
    dark_button: format(darkButton),
    dark_button_ink: buttonInkOn(darkButton),
    brand: format(rgb),
    brand_ink: inkOn(rgb),
    dark_brand: format(dimmed),
    dark_brand_ink: inkOn(dimmed),
  };
};
