import { Descriptions, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LogDifference, LogRow } from '../../../contract/system/log.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { Copyable, Failure, Status, Time } from '../../kit/feedback.ts';
import { useIsPhone } from '../../kit/look/media.ts';
import { LogUser } from './LogUser.tsx';

const inWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** One entry: what happened, what was there before and after, what was sent. */
export function LogDetails({ row, onClose }: { row: LogRow; onClose: () => void }) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { data, error, refetch } = useCall(api.log.details, { id: row.id });
  const facts = [
    { key: 'at', label: t('log.column.at'), children: <Time value={row.at} exact /> },
    { key: 'user', label: t('log.column.user'), children: <LogUser row={row} /> },
    { key: 'ip', label: t('log.column.ip'), children: row.ip ? <Copyable value={row.ip} code /> : '–' },
    { key: 'type', label: t('log.screen.call'), children: <Copyable value={row.type} code /> },
    { key: 'source', label: t('log.column.source'), children: row.source || '–' },
    {
      key: 'sealed',
      label: t('log.screen.chain_state'),
      children: <Status kind={row.sealed ? 'success' : 'neutral'} label={row.sealed ? 'log.screen.sealed' : 'log.screen.unsealed'} />,
    },
    { key: 'user_agent', label: t('log.column.user_agent'), children: row.user_agent || '–', span: 'filled' as const },
  ];
  return (
    <Drawer open onClose={onClose} title={t('log.screen.details')} size={760}>
      <div className="lc-log-details">
        <h3>{row.sentence}</h3>
        <Descriptions items={facts} column={isPhone ? 1 : 2} size="small" />
        {error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Skeleton active />
        ) : (
          <>
            <h4>{t('log.screen.differences')}</h4>
            <Differences rows={data.differences} />
            <h4>{t('log.column.content')}</h4>
            <pre className="lc-log-json">{JSON.stringify(data.content, null, 2)}</pre>
          </>
        )}
      </div>
    </Drawer>
  );
}

function Differences({ rows }: { rows: readonly LogDifference[] }) {
  const { t } = useTranslation();
  if (rows.length === 0) return <p className="lc-soft">{t('log.screen.no_differences')}</p>;
  const side = (row: LogDifference, name: 'before' | 'after') =>
    name in row && row[name] !== undefined ? (
      <span className={`lc-log-${name}`}>{inWords(row[name])}</span>
    ) : (
      <span className="lc-soft">{t('common.none')}</span>
    );
  return (
    <table className="lc-log-differences">
      <thead>
        <tr>
          <th scope="col">{t('log.screen.path')}</th>
          <th scope="col">{t('log.column.before')}</th>
          <th scope="col">{t('log.column.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.path}>
            <th scope="row" className="lc-code">
              {row.path}
            </th>
            <td>{side(row, 'before')}</td>
            <td>{side(row, 'after')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
