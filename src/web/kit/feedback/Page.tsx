import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Art, type ArtName } from '../look/art/Art.tsx';
import { useFavourites } from '../menu/favourites.ts';
import { PinButton } from '../menu/PinButton.tsx';
import { placeAt, useVisit } from '../menu/visited.ts';
import { useText } from '../texts/text.ts';
import { useDocumentTitle } from './documentTitle.ts';

type PageProps = {
  /** Message key or text. */
  title: string;
  help?: ReactNode;
  /** A picture before the title, where there is room. */
  art?: ArtName;
  /** The main action and its neighbours, at the right of the title. */
  actions?: ReactNode;
  /** The content fills the window's height and scrolls inside itself (lists). */
  fills?: boolean;
  children: ReactNode;
};

/** The star beside the title of what can be come back to. */
function PinPage({ title }: { title: string }) {
  const { pathname, search } = useLocation();
  const favourites = useFavourites();
  const path = placeAt(pathname, search);
  return path === null ? null : <PinButton place={{ path, title }} favourites={favourites} />;
}

/** A screen: its title with the main action at the right, then its content. */
export function Page({ title, help, art, actions, fills = false, children }: PageProps) {
  const text = useText();
  const words = text(title);
  useDocumentTitle(words);
  useVisit(words);
  return (
    <section className={fills ? 'lc-page lc-page-fills' : 'lc-page'}>
      <header className="lc-page-header">
        {art && <Art name={art} className="lc-page-art" />}
        <div className="lc-page-heading">
          <h1>{words}</h1>
          <PinPage title={words} />
          {help && <p>{help}</p>}
        </div>
        {actions && <div className="lc-page-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
