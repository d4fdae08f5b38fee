import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Failure, Num } from '../../kit/feedback.ts';

type VisitsByKeyProps = { id: number; file_name: string; range: { from: string; to: string } };

/** A code's visits of some days by the key that was printed: its own first, then its aliases. */
export function VisitsByKey({ id, file_name, range: { from, to } }: VisitsByKeyProps) {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useCall(api.qr_code_list.visits_by_key, { id, from, to });
  const rows = data && [
    { id: 0, name: t('qr_code.alias.own'), key: file_name, visits: data.own },
    ...data.aliases.map(({ id, key, remark, visits }) => ({ id, name: remark, key, visits })),
    ...(data.removed > 0 ? [{ id: -1, name: t('qr_code.alias.gone'), key: '', visits: data.removed }] : []),
  ];
  return (
    <section className="lc-panel lc-code-by-key">
      <div className="lc-panel-head">
        <div>
          <h2>{t('qr_code.alias.visits')}</h2>
        </div>
      </div>
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
      ) : !rows ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : (
        <ul className="lc-code-keys">
          {rows.map((row) => (
            <li key={row.id}>
              <span>
                {row.name} <code>{row.key}</code>
              </span>
              <Num value={row.visits} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
