import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type CodePagePart, codePage } from '../../kit/CodeLink.tsx';

type PanelHeadProps = { title: string; id: number; part: CodePagePart; link: string };

/** A panel's title with the way to the part of the page that has all of it. */
export function PanelHead({ title, id, part, link }: PanelHeadProps) {
  const { t } = useTranslation();
  return (
    <div className="lc-panel-head">
      <div>
        <h2>{t(title)}</h2>
      </div>
      <Link to={codePage(id, part)}>{t(link)}</Link>
    </div>
  );
}
