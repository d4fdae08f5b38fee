import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogType } from '../../../contract/system/log-config.ts';
import { api } from '../../kit/calls/api.ts';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { Num, Status, Time } from '../../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../../kit/ListPage.tsx';
import { ruleFields } from './LogConfigPage.tsx';
import './logs.css';

const keptLabel = (row: LogType) => (row.always_kept ? 'log_type.always_kept' : row.kept ? 'log_type.kept_yes' : 'log_type.kept_no');

const columns: Column<LogType>[] = [
  { key: 'title', title: 'log_type.name', width: 240, card: 'title' },
  {
    key: 'type',
    title: 'log_type.type',
    sortable: true,
    width: 230,
    card: 'field',
    render: (row) => <span className="lc-code">{row.type}</span>,
  },
  {
    key: 'number',
    title: 'log_type.number',
    sortable: true,
    align: 'right',
    width: 110,
    card: 'field',
    render: (row) => <Num value={row.number} />,
  },
  { key: 'last_at', title: 'log_type.last_at', sortable: true, width: 140, card: 'field', render: (row) => <Time value={row.last_at} /> },
  {
    key: 'kept',
    title: 'log_type.kept',
    width: 130,
    card: 'aside',
    exportValue: keptLabel,
    render: (row) => (
      <Status
        kind={row.kept ? 'success' : 'neutral'}
        label={keptLabel(row)}
        help={row.always_kept ? 'log_type.always_kept_help' : undefined}
      />
    ),
  },
  {
    key: 'retention_days',
    title: 'log_type.retention_days',
    align: 'right',
    width: 110,
    render: (row) => <Num value={row.retention_days} />,
  },
  {
    key: 'rule',
    title: 'log_type.rule',
    width: 180,
    exportValue: (row) => row.rule ?? 'log_type.rule_none',
    render: (row) => <Rule row={row} />,
  },
];

const filters: Filter<'search'>[] = [{ kind: 'text', key: 'search', label: 'log_type.search' }];

function Rule({ row }: { row: LogType }) {
  const { t } = useTranslation();
  return row.rule === null ? <span className="lc-soft">{t('log_type.rule_none')}</span> : <span className="lc-code">{row.rule}</span>;
}

/** The types seen in the log with the rule for each. */
export function LogTypePage() {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<LogType | null>(null);
  return (
    <>
      <ListPage
        title="log_type.title"
        help={t('log_type.help')}
        list={api.log_type.inquire}
        columns={columns}
        filters={filters}
        rowKey="type"
        defaultSort={{ sort: 'last_at', order: 'desc' }}
        exportName="log_type.title"
        empty={{ title: 'log_type.empty', help: 'log_type.empty_help' }}
        rowActions={[{ key: 'update', label: 'log_type.update', node: 'log_type.update', onClick: setEdited }]}
      />
      {edited && (
        <FormModal
          action={api.log_type.update}
          title="log_type.update"
          submit="log_type.save"
          success="log_type.saved"
          size="medium"
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
