import { useTranslation } from 'react-i18next';
import type { SharedCode } from '../../contract/codes/share.ts';
import { useFormat } from '../kit/texts/format.ts';

/** Visits by the key that was printed: the code's own first, then its aliases with the poster or place that each is for. */
export function KeyVisits({ visits }: { visits: NonNullable<SharedCode['by_key']> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const rows = [
    { id: 0, name: t('share_access.own_key'), key: visits.file_name, visits: visits.own },
    ...visits.aliases.map(({ remark, ...row }) => ({ ...row, name: remark })),
    ...(visits.removed > 0 ? [{ id: -1, name: t('share_access.gone_keys'), key: '', visits: visits.removed }] : []),
  ];
  return (
    <section className="lc-share-hours" aria-labelledby="share-keys-title">
      <h2 className="lc-share-hours-title" id="share-keys-title">
        {t('share_access.by_key')}
      </h2>
      <ul className="lc-share-keys">
        {rows.map((row) => (
          <li key={row.id}>
            <span>
              {row.name} <code>{row.key}</code>
            </span>
            <b>{format.exact(row.visits)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
