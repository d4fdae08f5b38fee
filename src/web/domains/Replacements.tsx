import { App, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DomainReplacement } from '../../contract/domains/domain-replacement.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Time } from '../kit/feedback.ts';
import { type Hosted, hostLabel, hostName } from '../kit/host.ts';
import { OperationDialog } from '../kit/operations/OperationDialog.tsx';

/** The domain that was replaced, and the one in its place. */
export const hostsOf = (row: DomainReplacement): { from: Hosted; to: Hosted } => ({
  from: { host: row.from_host, host_unicode: row.from_host_unicode },
  to: { host: row.to_host, host_unicode: row.to_host_unicode },
});

/** Takes a replacement back, after asking. */
export function useUndo() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const confirm = useConfirm();
  const [operation, setOperation] = useState<number | null>(null);
  const undo = useAction(api.domain_replacement.undo, { success: false, invalidates: ['domain_list', 'qr_code_list', 'forward'] });

  async function ask(row: DomainReplacement) {
    const { id, live_codes, short_codes } = row;
    const { from, to } = hostsOf(row);
    const agreed = await confirm({
      title: 'domain_list.undo.title',
      content: t('domain_list.undo.content', { from: hostLabel(from), to: hostLabel(to), number: live_codes + short_codes }),
      confirm: 'domain_list.undo.submit',
      danger: true,
    });
    const done = agreed ? await undo.run({ id }) : undefined;
    if (done?.operation_id) setOperation(done.operation_id);
    else if (done) void message.success(t('domain_list.undo.done', { number: done.affected }));
  }

  const dialog = operation !== null && (
    <OperationDialog
      id={operation}
      invalidates={['domain_list', 'qr_code_list', 'domain_replacement']}
      onClose={() => setOperation(null)}
    />
  );
  return { ask, dialog };
}

/** What was replaced, the newest first, with the way back. */
export function Replacements({ rows }: { rows: readonly DomainReplacement[] }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const undo = useUndo();
  return (
    <>
      <ul className="domain-codes">
        {rows.map((row) => (
          <li key={row.id}>
            <span>
              <span className="lc-code">
                {hostName(hostsOf(row).from)} → {hostName(hostsOf(row).to)}
              </span>
              <br />
              <span className="lc-soft">
                {t('domain_list.replaced_codes', { number: row.live_codes + row.short_codes })}
                {row.forwards > 0 && ` · ${t('domain_list.replaced_forwards', { number: row.forwards })}`} · {row.created_by_account ?? '–'}{' '}
                · <Time value={row.created_at} />
                {row.undone_at && ` · ${t('domain_list.undo.undone', { number: row.undone_codes })}`}
              </span>
            </span>
            {row.undoable && allows('domain_list.replace') && (
              <Button size="small" onClick={() => void undo.ask(row)}>
                {t('domain_list.undo.submit')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {undo.dialog}
    </>
  );
}
