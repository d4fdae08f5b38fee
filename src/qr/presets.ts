import { defaultQrDesign, type QrDesign, type QrFrame } from './design.ts';

const presetIds = [
  'classic',
  'rounded',
  'dots',
  'soft',
  'brand_blue',
  'messenger_green',
  'cream',
  'gradient',
  'framed',
  'inverted_safe',
] as const;

type PresetId = (typeof presetIds)[number];

const frame = (values: Partial<QrFrame>): QrFrame => ({ ...defaultQrDesign.frame, ...values });
const solid = (color: string): QrDesign['foreground'] => ({ kind: 'solid', color });

const designs: Record<PresetId, Partial<QrDesign>> = {
  classic: { foreground: solid('#000000') },
  rounded: { dot_style: 'rounded', corner_style: 'rounded', corner_dot_style: 'rounded' },
  dots: { dot_style: 'dots', corner_style: 'circle', corner_dot_style: 'dot' },
  soft: {
    dot_style: 'classy',
    corner_style: 'rounded',
    corner_dot_style: 'dot',
    foreground: solid('#3b3054'),
    corner_color: '#7c3aed',
    background: '#faf8ff',
  },
  brand_blue: {
    dot_style: 'rounded',
    corner_style: 'rounded',
    corner_dot_style: 'dot',
    foreground: solid('#1f6feb'),
    corner_color: '#0b3d91',
  },
  messenger_green: {
    dot_style: 'dots',
    corner_style: 'rounded',
    corner_dot_style: 'rounded',
    foreground: solid('#0b7a3b'),
    corner_color: '#064e2a',
  },
  cream: { dot_style: 'diamond', corner_style: 'square', corner_dot_style: 'square', foreground: solid('#4a2c17'), background: '#fdf6e3' },
  gradient: {
    dot_style: 'rounded',
    corner_style: 'circle',
    corner_dot_style: 'dot',
    foreground: { kind: 'gradient', from: '#1d4ed8', to: '#a21caf', angle: 45 },
  },
  framed: {
    dot_style: 'rounded',
    corner_style: 'rounded',
    corner_dot_style: 'rounded',
    frame: frame({ kind: 'bottom', text: 'SCAN ME', frame_color: '#111827' }),
  },
  inverted_safe: {
    dot_style: 'rounded',
    corner_style: 'rounded',
    corner_dot_style: 'rounded',
    foreground: solid('#0f172a'),
    frame: frame({ kind: 'box', text: 'SCAN FOR MORE', text_color: '#f8fafc', frame_color: '#0f172a' }),
  },
};

/** Starting points of the designer, in the order in which they are offered. The screen names them by id; the frame texts are examples. */
export const presets: readonly { id: PresetId; design: QrDesign }[] = presetIds.map((id) => ({
  id,
  design: { ...defaultQrDesign, ...designs[id] },
}));
