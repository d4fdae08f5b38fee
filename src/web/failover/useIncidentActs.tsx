import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ShieldIncident } from '../../contract/detection/shield-configuration.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { hostLabel } from '../kit/host.ts';
import type { BatchAction, RowAction } from '../kit/ListPage.tsx';
import { movedCodes, placesOf } from './incidents.columns.tsx';

const stale = ['domain_list', 'domain_replacement', 'qr_code_list', 'short_code', 'forward', 'home'] as const;
/** What would only come out as it did: nothing is on the domain, all was moved, or the rules are off. */
const isRetryable = ({ retryable, handling, reason }: ShieldIncident) =>
  retryable && reason !== 'empty' && reason !== 'disabled' && (handling !== 'replaced' || reason === 'rest_stays');

/** Taking back what was done, and asking for it to be done now: of one row, and of the selected ones. */
export function useIncidentActs() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const confirm = useConfirm();
  const undo = useAction(api.shield_configuration.undo, { success: false, invalidates: stale });
  const retry = useAction(api.shield_configuration.retry, { success: false, invalidates: ['home'] });

  async function askUndo(rows: readonly ShieldIncident[]): Promise<boolean> {
    const own = rows.filter(({ undoable }) => undoable);
    const [first] = own;
    if (!first) return Boolean(void message.info(t('shield_configuration.undo.none')));
    const number = own.reduce((sum, row) => sum + movedCodes(row), 0);
    const blocked = own.filter(({ ended_at }) => ended_at === null).length;
    const from = hostLabel(first);
    const words = [
      own.length === 1
        ? t('shield_configuration.undo.content', { from, to: placesOf(first).map(hostLabel).join(t('common.comma')), number })
        : t('shield_configuration.undo.content_many', { number }),
      ...(blocked > 0 ? [t(`shield_configuration.undo.${own.length === 1 ? 'blocked_one' : 'blocked'}`, { from, number: blocked })] : []),
    ];
    const agreed = await confirm({
      title:
        own.length === 1
          ? t('shield_configuration.undo.title', { from })
          : t('shield_configuration.undo.title_many', { number: own.length }),
      content: words.map((line) => <p key={line}>{line}</p>),
      confirm: 'menu.button.undo',
      danger: true,
    });
    const done = agreed ? await undo.run({ ids: own.map(({ id }) => id) }) : undefined;
    if (!done) return false;
    if (done.undone > done.operation_ids.length)
      void message.success(t('shield_configuration.undo.done', { number: done.codes, count: done.codes }));
    if (done.operation_ids.length > 0)
      void message.info(t('shield_configuration.undo.started', { number: done.operation_ids.length, count: done.operation_ids.length }));
    return true;
  }

  async function askRetry(rows: readonly ShieldIncident[]): Promise<boolean> {
    const own = rows.filter(isRetryable);
    if (own.length === 0) return Boolean(void message.info(t('shield_configuration.retry.none')));
    const done = await retry.run({ ids: own.map(({ id }) => id) });
    if (done) void message.success(t('shield_configuration.retry.done', { number: done.affected, count: done.affected }));
    return done !== undefined;
  }

  const undoing = { key: 'undo', label: 'menu.button.undo', node: 'shield_configuration.undo' } as const;
  const retrying = { key: 'retry', label: 'shield_configuration.retry.act', node: 'shield_configuration.update' } as const;
  const of = (ask: (rows: readonly ShieldIncident[]) => Promise<boolean>) => ({
    onClick: (row: ShieldIncident) => void ask([row]),
  });
  return {
    undo: {
      row: { ...undoing, ...of(askUndo), visible: ({ undoable }) => undoable } as RowAction<ShieldIncident>,
      batch: { ...undoing, onClick: askUndo } as BatchAction<ShieldIncident>,
    },
    retry: {
      row: { ...retrying, ...of(askRetry), visible: isRetryable } as RowAction<ShieldIncident>,
      batch: { ...retrying, onClick: askRetry } as BatchAction<ShieldIncident>,
    },
  };
}
