import type { ReactNode } from 'react';
import { Art, type ArtName } from '../look/art/Art.tsx';
import { useText } from '../texts/text.ts';

export type EmptyProps = {
  /** Message keys or text: what is missing, and what the screen is for. */
  title: string;
  /** Stands above all of it, where what is missing is told by a word of every list. */
  lead?: string;
  help?: string;
  picture?: ArtName;
  /** The first thing to do here. */
  action?: ReactNode;
};

/** Nothing is here yet: what this is for, and the first action. */
export function Empty({ lead, title, help, picture = 'list', action }: EmptyProps) {
  const text = useText();
  return (
    <div className="lc-empty">
      <Art name={picture} />
      <p className="lc-empty-title">{text(lead ?? title)}</p>
      {lead && <p>{text(title)}</p>}
      {help && <p className="lc-empty-help">{text(help)}</p>}
      {action && <div className="lc-empty-action">{action}</div>}
    </div>
  );
}
