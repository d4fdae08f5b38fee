import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Copyable, Empty } from '../../kit/feedback.ts';
import { useIsPhone } from '../../kit/look/media.ts';
import { useFormat } from '../../kit/texts/format.ts';
import type { Found } from './query.ts';
import { Flag, RecordCards, RecordTable } from './Records.tsx';
import { filterCounts, type RecordFilter, recordFilters, recordFlags, shownRecords } from './records.ts';

export function FirstLook() {
  return <Empty picture="find" title="access_log.first" help="access_log.first_help" />;
}

/** What was found: filters with their counts, what the colours mean, the records, and the addresses without any. */
export function Results({ found }: { found: Found }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isPhone = useIsPhone();
  const [filter, setFilter] = useState<RecordFilter>('all');
  const records = shownRecords(found.records);
  const counts = filterCounts(records);
  const rows = records.filter(({ filters }) => filters.has(filter));
  const seen = new Set(records.map(({ ip }) => ip));
  const missing = found.addresses.filter((ip) => !seen.has(ip));
  if (records.length === 0) return <Empty picture="search" title="access_log.none" help="access_log.none_help" />;

  return (
    <>
      <p className="lc-access-summary">{t('access_log.summary', { asked: found.addresses.length, found: records.length })}</p>
      <fieldset className="lc-access-filters" aria-label={t('access_log.filter.title')}>
        {recordFilters.map((key) => (
          <button
            key={key}
            type="button"
            className="lc-access-filter"
            aria-pressed={key === filter}
            // A filter that nothing passes would only lead to an empty table.
            disabled={counts[key] === 0}
            onClick={() => setFilter(key)}
          >
            {t(`access_log.filter.${key}`)} <b className="lc-num">{format.exact(counts[key])}</b>
          </button>
        ))}
      </fieldset>
      <div className="lc-access-legend">
        <span className="lc-soft">{t('access_log.legend')}</span>
        {recordFlags.map((flag) => (
          <Flag key={flag} flag={flag} />
        ))}
      </div>
      {isPhone ? <RecordCards rows={rows} /> : <RecordTable rows={rows} />}
      {missing.length > 0 && (
        <div>
          <h2 className="lc-access-missing-title">{t('access_log.missing', { number: missing.length })}</h2>
          <ul className="lc-access-missing-list">
            {missing.map((ip) => (
              <li key={ip}>
                <Copyable value={ip} code />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
