import { useTranslation } from 'react-i18next';
import { type DatabaseSession, visitParts } from '../../contract/system/database-session.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Statement } from './SessionCells.tsx';

const shownStatements = 5;

/** What the question shows of the sessions that are ended. */
function Sessions({ rows }: { rows: readonly DatabaseSession[] }) {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('mysql_lock.release_help')}</p>
      <ul className="lc-database-chosen">
        {rows.slice(0, shownStatements).map((row) => (
          <li key={row.id}>
            {t(`mysql_lock.part_${row.part}`)} · {row.id} · {t('mysql_lock.user_of', { user: row.user })}
            <Statement text={row.statement} />
          </li>
        ))}
      </ul>
      {rows.length > shownStatements && <p>{t('mysql_lock.and_more', { number: rows.length - shownStatements })}</p>}
    </>
  );
}

/** Asks, and ends what the chosen sessions do; those that visits need are asked about once more. */
export function useRelease(group: 'mysql_lock' | 'mysql_time_consuming') {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const action = useAction(group === 'mysql_lock' ? api.mysql_lock.release : api.mysql_time_consuming.release);
  return async (rows: readonly DatabaseSession[]): Promise<boolean> => {
    const title = t('mysql_lock.release_title', { count: rows.length });
    const question = { confirm: 'mysql_lock.release', danger: true };
    if (!(await confirm({ ...question, title, content: <Sessions rows={rows} /> }))) return false;
    const serving = rows.filter(({ part }) => visitParts.includes(part));
    const ofVisits = { title: t('mysql_lock.visits_title', { count: serving.length }), content: 'mysql_lock.visits_help' };
    if (serving.length > 0 && !(await confirm({ ...question, ...ofVisits, confirm: 'mysql_lock.release_anyway' }))) return false;
    const sessions = rows.map(({ id, began_at }) => ({ id, began_at }));
    return (await action.run({ sessions, with_visits: serving.length > 0 })) !== undefined;
  };
}
