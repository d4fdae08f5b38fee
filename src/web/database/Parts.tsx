import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';

/** Which part of a screen stands open, kept in the address: the first unless another is named. */
export function useParts<P extends string>(parts: readonly [P, ...P[]], labelOf: (part: P) => string) {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const part = parts.find((one) => one === search.get('part')) ?? parts[0];
  const choice = (
    <Segmented<P>
      className="lc-database-parts"
      aria-label={t('mysql_time_consuming.parts')}
      value={part}
      onChange={(value) => setSearch(value === parts[0] ? {} : { part: value })}
      options={parts.map((value) => ({ value, label: labelOf(value) }))}
    />
  );
  return { part, choice };
}
