import type { QrDesign } from '../../../qr/design.ts';
import { inlineSide, needsInlining } from '../../../qr/logo.ts';
import { drawLogo } from './canvas.ts';

const maxRemembered = 50;

const inlined = new Map<string, Promise<string>>();

/** The logo as a PNG data URL of at most 512 pixels: small, free of scripts and the same in every format. Throws QrLogoError. */
export function inlineLogo(src: string): Promise<string> {
  const known = inlined.get(src);
  if (known) return known;
  const address = drawLogo({ src, ratio: 0.2, padding: 0, rounded: false }, inlineSide).then((canvas) => canvas.toDataURL('image/png'));
  inlined.set(src, address);
  // A failed load may work the next time.
  address.catch(() => inlined.delete(src));
  const [oldest] = inlined.keys();
  if (inlined.size > maxRemembered && oldest !== undefined) inlined.delete(oldest);
  return address;
}

/** The design with its logo inside, for drawings that must stand alone. Throws QrLogoError. */
export async function withInlineLogo(design: QrDesign): Promise<QrDesign> {
  if (!design.logo || !needsInlining(design)) return design;
  return { ...design, logo: { ...design.logo, src: await inlineLogo(design.logo.src) } };
}
