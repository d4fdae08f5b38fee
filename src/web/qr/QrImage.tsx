import { type CSSProperties, memo, type ReactNode, useEffect, useMemo, useState } from 'react';
import { defaultQrDesign, type QrDesign, toQrDesign } from '../../qr/design.ts';
import { needsInlining } from '../../qr/logo.ts';
import { QrTextError } from '../../qr/matrix.ts';
import { renderSvg } from '../../qr/svg.ts';
import { svgDataUrl } from './drawing/canvas.ts';
import { inlineLogo } from './drawing/logo.ts';

type QrImageProps = {
  /** What the code holds. */
  text: string;
  /** Says what the code is for, for screen readers. */
  alt: string;
  design?: QrDesign;
  /** Displayed width in CSS pixels; without it the image fills its box. */
  width?: number;
  className?: string;
  style?: CSSProperties;
  /** Shown instead when no code can hold the text. */
  fallback?: ReactNode;
};

/** Pictures inside an image may not be fetched, so a logo has to be copied in first; until then its place stays clear. */
function useInlineLogo(design: QrDesign): QrDesign {
  const src = design.logo && needsInlining(design) ? design.logo.src : null;
  const [loaded, setLoaded] = useState<{ src: string; address: string } | null>(null);
  useEffect(() => {
    if (src === null) return;
    let isCurrent = true;
    inlineLogo(src).then(
      (address) => isCurrent && setLoaded({ src, address }),
      () => isCurrent && setLoaded(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [src]);
  if (!design.logo || src === null || loaded?.src !== src) return design;
  return { ...design, logo: { ...design.logo, src: loaded.address } };
}

/** The drawings of late by text and design: a list that is scrolled back or opened again shows them without drawing. */
const drawings = new Map<string, string | null>();
const maxDrawings = 500;

function drawOrNull(text: string, design: QrDesign): string | null {
  try {
    return svgDataUrl(renderSvg(text, design));
  } catch (error) {
    if (error instanceof QrTextError) return null;
    throw error;
  }
}

/** @param design as JSON */
function drawnOf(text: string, design: string): string | null {
  const key = `${text}\n${design}`;
  const known = drawings.get(key);
  const drawn = known === undefined ? drawOrNull(text, toQrDesign(JSON.parse(design))) : known;
  drawings.delete(key);
  drawings.set(key, drawn);
  const [oldest] = drawings.keys();
  if (oldest !== undefined && drawings.size > maxDrawings) drawings.delete(oldest);
  return drawn;
}

/** A code as an image, for thumbnails and previews. As an <img> its SVG can neither run scripts nor meet the page's styles. */
export const QrImage = memo(function QrImage({
  text,
  alt,
  design = defaultQrDesign,
  width,
  className,
  style,
  fallback = null,
}: QrImageProps) {
  // A form hands over a new but equal object with every keystroke elsewhere; the drawing is only redone when a value differs.
  const key = JSON.stringify(useInlineLogo(design));
  const source = useMemo(() => drawnOf(text, key), [text, key]);
  if (source === null) return fallback;
  return (
    <img
      src={source}
      alt={alt}
      width={width}
      className={className}
      // Square until the drawing is decoded, so that what stands below does not move under a pointer.
      style={{ maxWidth: '100%', height: 'auto', aspectRatio: 'auto 1 / 1', ...style }}
      decoding="async"
    />
  );
});
