export const dotStyles = ['square', 'rounded', 'dots', 'classy', 'diamond'] as const;
export const cornerStyles = ['square', 'rounded', 'circle'] as const;
export const cornerDotStyles = ['square', 'dot', 'rounded'] as const;
export const errorLevels = ['L', 'M', 'Q', 'H'] as const;
export const frameKinds = ['none', 'bottom', 'top', 'box'] as const;

type DotStyle = (typeof dotStyles)[number];
export type CornerStyle = (typeof cornerStyles)[number];
export type CornerDotStyle = (typeof cornerDotStyles)[number];
export type ErrorLevel = (typeof errorLevels)[number];
type FrameKind = (typeof frameKinds)[number];

/** Angle in degrees: 0 runs from left to right, 90 from top to bottom. */
export type QrForeground = { kind: 'solid'; color: string } | { kind: 'gradient'; from: string; to: string; angle: number };

/** `src` is an image data URL, an http(s) URL or a path of our own origin; `ratio` is of the symbol's width; `padding` is in modules. */
export type QrLogo = { src: string; ratio: number; padding: number; rounded: boolean };

export type QrFrame = { kind: FrameKind; text: string; text_color: string; frame_color: string };

/** How a code is drawn. Colours are `#rgb` or `#rrggbb`; `size` is the width in pixels, frame included; `margin` is the quiet zone in modules. */
export type QrDesign = {
  size: number;
  margin: number;
  foreground: QrForeground;
  /** A colour, or `transparent`. */
  background: string;
  dot_style: DotStyle;
  corner_style: CornerStyle;
  corner_dot_style: CornerDotStyle;
  /** The colour of the three corner marks; null takes the foreground. */
  corner_color: string | null;
  /** The least level; a higher one is used when it does not make the symbol larger. */
  error_level: ErrorLevel;
  logo: QrLogo | null;
  frame: QrFrame;
};

export const designLimits = {
  size: { min: 128, max: 2048 },
  margin: { min: 2, max: 12 },
  logo_ratio: { min: 0.1, max: 0.3 },
  logo_padding: { min: 0, max: 2 },
  frame_text_length: 40,
} as const;

/** The width of a PDF page; not part of a design, chosen with each download. */
export const pdfWidthMm = { min: 10, max: 1000, usual: 60 } as const;

export const defaultQrDesign: QrDesign = {
  size: 1024,
  margin: 4,
  foreground: { kind: 'solid', color: '#111827' },
  background: '#ffffff',
  dot_style: 'square',
  corner_style: 'square',
  corner_dot_style: 'square',
  corner_color: null,
  error_level: 'M',
  logo: null,
  frame: { kind: 'none', text: '', text_color: '#ffffff', frame_color: '#111827' },
};

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const isColor = (value: unknown): value is string => typeof value === 'string' && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value);

const colorOr = (value: unknown, fallback: string) => (isColor(value) ? value : fallback);

const choiceOr = <T extends string>(choices: readonly T[], value: unknown, fallback: T): T =>
  choices.find((choice) => choice === value) ?? fallback;

const numberOr = (value: unknown, limits: { min: number; max: number }, fallback: number) =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(limits.max, Math.max(limits.min, value)) : fallback;

const imageData = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;
// Browsers drop tabs and newlines inside a URL and read a backslash as a slash, so neither may follow the first slash.
const ownPath = /^\/(?![/\\\t\n\r])/;

/** True for image data URLs, http(s) URLs and paths of our own origin; never for scripts or other schemes. */
export const isLogoSource = (value: unknown): value is string =>
  typeof value === 'string' && (imageData.test(value) || ownPath.test(value) || /^https?:\/\//i.test(value));

const toForeground = (value: unknown): QrForeground => {
  const fields = fieldsOf(value);
  if (fields.kind === 'gradient' && isColor(fields.from) && isColor(fields.to)) {
    return { kind: 'gradient', from: fields.from, to: fields.to, angle: numberOr(fields.angle, { min: -360, max: 360 }, 0) };
  }
  return { kind: 'solid', color: colorOr(fields.color, '#111827') };
};

const toLogo = (value: unknown): QrLogo | null => {
  const fields = fieldsOf(value);
  if (!isLogoSource(fields.src)) return null;
  return {
    src: fields.src,
    ratio: numberOr(fields.ratio, designLimits.logo_ratio, 0.2),
    padding: numberOr(fields.padding, designLimits.logo_padding, 1),
    rounded: fields.rounded !== false,
  };
};

/** The characters that XML 1.0 cannot hold, even escaped; as a class of code points. */
const isForbiddenInXml = (character: string) => {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point === 0xfffe || point === 0xffff;
};

/** One line of at most 40 visible characters, without what XML cannot hold; an emoji made of several code points is never cut apart. */
export const toFrameText = (value: unknown): string => {
  if (typeof value !== 'string') return '';
  // A visible character rarely has more than 16 code units: nothing longer needs to be looked at.
  const wellFormed = value.slice(0, designLimits.frame_text_length * 16).toWellFormed();
  const line = Array.from(wellFormed, (character) => (isForbiddenInXml(character) ? ' ' : character)).join('');
  const graphemes = Array.from(new Intl.Segmenter().segment(line.replace(/\s+/g, ' ').trim()), ({ segment }) => segment);
  return graphemes.slice(0, designLimits.frame_text_length).join('').trim();
};

const toFrame = (value: unknown): QrFrame => {
  const fields = fieldsOf(value);
  return {
    kind: choiceOr(frameKinds, fields.kind, 'none'),
    text: toFrameText(fields.text),
    text_color: colorOr(fields.text_color, defaultQrDesign.frame.text_color),
    frame_color: colorOr(fields.frame_color, defaultQrDesign.frame.frame_color),
  };
};

/** A complete, valid design from anything: stored JSON, a part of a design, a form's values. What is wrong or missing takes its default. */
export const toQrDesign = (value: unknown): QrDesign => {
  const fields = fieldsOf(value);
  return {
    size: Math.round(numberOr(fields.size, designLimits.size, defaultQrDesign.size)),
    margin: Math.round(numberOr(fields.margin, designLimits.margin, defaultQrDesign.margin)),
    foreground: toForeground(fields.foreground),
    background: fields.background === 'transparent' ? 'transparent' : colorOr(fields.background, defaultQrDesign.background),
    dot_style: choiceOr(dotStyles, fields.dot_style, defaultQrDesign.dot_style),
    corner_style: choiceOr(cornerStyles, fields.corner_style, defaultQrDesign.corner_style),
    corner_dot_style: choiceOr(cornerDotStyles, fields.corner_dot_style, defaultQrDesign.corner_dot_style),
    corner_color: isColor(fields.corner_color) ? fields.corner_color : null,
    error_level: choiceOr(errorLevels, fields.error_level, defaultQrDesign.error_level),
    logo: toLogo(fields.logo),
    frame: toFrame(fields.frame),
  };
};
