import { useEffect, useState } from 'react';
import type { ArtName, drawingOf } from './drawings.ts';
import './art.css';

/** Once they are there: nothing waits for what only decorates. */
let loaded: typeof drawingOf | undefined;

function useDrawing(name: ArtName): string {
  const [known, setKnown] = useState(() => loaded);
  useEffect(() => {
    if (known) return;
    void import('./drawings.ts').then(
      (module) => {
        loaded = module.drawingOf;
        setKnown(() => loaded);
      },
      () => {},
    );
  }, [known]);
  return known?.(name) ?? '';
}

export type { ArtName } from './drawings.ts';

type ArtProps = {
  name: ArtName;
  /** Its place asks for another size than the one of empty lists. */
  className?: string;
};

/** A picture in line art, in the theme's colours: decoration only. */
export function Art({ name, className }: ArtProps) {
  const drawing = useDrawing(name);
  return (
    <svg
      className={className ? `lc-art ${className}` : 'lc-art'}
      viewBox="0 0 240 180"
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the drawings are constants of ours; as elements they would weigh three times as much.
      dangerouslySetInnerHTML={{ __html: drawing }}
    />
  );
}
