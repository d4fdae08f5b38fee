import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogType } from '../../../contract/system/log-config.ts';
import { api } from '../../kit/calls/api.ts';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { ruleFields } from './LogConfigPage.tsx';
import './logs.css';

const keptLabel = (row: LogType) => (row.always_kept ? 'log_type.always_kept' : row.kept ? 'log_config.kept_yes' : 'log_config.kept_no');

const columns = columnsOf(api.log_type.inquire, [
  { key: 'title', kind: 'name', title: 'log_type.name', width: 240 },
  { key: 'type', width: 230, card: 'field', render: (row) => <span className="lc-code">{row.type}</span> },
  { key: 'number', kind: 'number' },
  { key: 'last_at', kind: 'time', card: 'field' },
  {
    key: 'kept',
    kind: 'status',
    status: (row) => ({
      kind: row.kept ? 'success' : 'neutral',
      label: keptLabel(row),
      help: row.always_kept ? 'log_type.always_kept_help' : undefined,
    }),
    width: 130,
  },
  { key: 'retention_days', kind: 'number', title: 'log_config.retention_days', card: undefined },
  { key: 'rule', exportValue: (row) => row.rule ?? 'common.default', render: (row) => <Rule row={row} /> },
]);

const filters: Filter<'search'>[] = [{ kind: 'text', key: 'search', label: 'common.search_types' }];

function Rule({ row }: { row: LogType }) {
  const { t } = useTranslation();
  return row.rule === null ? <span className="lc-soft">{t('common.default')}</span> : <span className="lc-code">{row.rule}</span>;
}

/** The types seen in the log with the rule for each. */
export function LogTypePage() {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<LogType | null>(null);
  return (
    <>
      <ListPage
        title="menu.log_type"
        help={t('log_type.help')}
        list={api.log_type.inquire}
        columns={columns}
        filters={filters}
        rowKey="type"
        defaultSort={{ sort: 'last_at', order: 'desc' }}
        exportName="menu.log_type"
        empty={{ title: 'log_type.empty', help: 'log_type.empty_help' }}
        rowActions={[{ key: 'update', label: 'log_type.update', node: 'log_type.update', onClick: setEdited }]}
      />
      {edited && (
        <FormModal
          action={api.log_type.update}
          title="log_type.update"
          submit="log_config.save"
          success="log_type.saved"
          intro={t('log_type.intro', { name: edited.title })}
          invalidates={['log', 'log_config']}
          initial={{
            kept: edited.kept,
            retention_days: edited.rule === edited.type ? edited.retention_days : undefined,
            template: edited.template,
          }}
          toInput={({ kept, ...values }) => ({ ...values, ...(edited.always_kept ? {} : { kept }), type: edited.type })}
          fields={ruleFields(edited.type, edited.always_kept)}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
