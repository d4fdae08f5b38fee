import type { ReactNode } from 'react';
import { useText } from '../texts/text.ts';
import { EmptyPicture, type PictureName } from './pictures.tsx';

export type EmptyProps = {
  /** Message keys or text: what is missing, and what the screen is for. */
  title: string;
  help?: string;
  picture?: PictureName;
  /** The first thing to do here. */
  action?: ReactNode;
};

/** Nothing is here yet: what this is for, and the first action. */
export function Empty({ title, help, picture = 'list', action }: EmptyProps) {
  const text = useText();
  return (
    <div className="lc-empty">
      <EmptyPicture name={picture} />
      <p className="lc-empty-title">{text(title)}</p>
      {help && <p className="lc-empty-help">{text(help)}</p>}
      {action && <div className="lc-empty-action">{action}</div>}
    </div>
  );
}
