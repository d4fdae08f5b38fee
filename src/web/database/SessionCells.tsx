import { useTranslation } from 'react-i18next';
import type { DatabaseSession } from '../../contract/system/database-session.ts';
import type { KindColumn } from '../kit/list/kinds.tsx';
import { useFormat } from '../kit/texts/format.ts';
import './database.css';

/** The first lines of a statement; the rest stands in the row's expansion. */
export function Statement({ text }: { text: string }) {
  return <code className="lc-database-statement">{text.replace(/\s+/g, ' ').trim() || '–'}</code>;
}

export function WholeStatement({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <pre className="lc-database-whole" tabIndex={0}>
      {text.trim()}
    </pre>
  );
}

/** How long it lasts, in seconds. */
export function Lasting({ since }: { since: string | null }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  if (!since) return <span className="lc-soft">–</span>;
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000));
  return <span className="lc-num">{t('mysql_lock.seconds', { number: exact(seconds) })}</span>;
}

function Session({ session }: { session: DatabaseSession }) {
  const { t } = useTranslation();
  return (
    <span className="lc-database-session">
      <span>{t(`mysql_lock.part_${session.part}`)}</span>
      <small className="lc-num">
        {session.id} · {session.user}
        {session.application && session.part === 'other' && ` · ${session.application}`}
        {session.address && ` · ${session.address}`}
      </small>
    </span>
  );
}

const stateKinds = { active: 'info', idle: 'neutral' } as const;

/** The columns that both lists of sessions share. */
export function sessionColumns<Row extends DatabaseSession>(): Record<'session' | 'state' | 'lasting', KindColumn<Row>> {
  return {
    session: {
      key: 'part',
      title: 'mysql_lock.session',
      width: 180,
      card: 'field',
      exportValue: ({ id }) => id,
      render: (row) => <Session session={row} />,
    },
    state: {
      key: 'state',
      kind: 'status',
      title: 'common.field.state',
      width: 150,
      status: ({ state }) => ({
        kind: stateKinds[state as keyof typeof stateKinds] ?? 'warning',
        label: `mysql_lock.state.${state.replaceAll(/[^a-z]+/g, '_').replace(/_$/, '') || 'unknown'}`,
      }),
    },
    lasting: {
      key: 'transaction_at',
      title: 'mysql_lock.lasting',
      width: 90,
      align: 'right',
      card: 'field',
      exportValue: ({ transaction_at, statement_at }) => transaction_at ?? statement_at,
      render: ({ transaction_at, statement_at }) => <Lasting since={transaction_at ?? statement_at} />,
    },
  };
}
