import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogConfig } from '../../../contract/system/log-config.ts';
import { api } from '../../kit/calls/api.ts';
import { type FieldData, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../../kit/dialogs/removal.tsx';
import { Status, Time } from '../../kit/feedback.ts';
import type { ControlProps } from '../../kit/form/controls.tsx';
import { type Column, type Filter, ListPage } from '../../kit/ListPage.tsx';
import { TemplateField } from './TemplateField.tsx';
import './logs.css';

const keptLabel = (kept: boolean) => (kept ? 'log_config.kept_yes' : 'log_config.kept_no');

const columns: Column<LogConfig>[] = [
  {
    key: 'type',
    title: 'log_config.type',
    sortable: true,
    width: 220,
    card: 'title',
    render: (row) => <span className="lc-code">{row.type}</span>,
  },
  {
    key: 'kept',
    title: 'log_config.kept',
    width: 110,
    card: 'aside',
    exportValue: (row) => keptLabel(row.kept),
    render: (row) => <Status kind={row.kept ? 'success' : 'neutral'} label={keptLabel(row.kept)} />,
  },
  {
    key: 'retention_days',
    title: 'log_config.retention_days',
    align: 'right',
    width: 120,
    card: 'field',
    render: (row) => <Retention row={row} />,
  },
  { key: 'template', title: 'log_config.template', width: 320, render: (row) => <Template row={row} /> },
  { key: 'remark', title: 'log_config.remark', width: 180, card: 'field' },
  { key: 'updated_by_account', title: 'log_config.updated_by', width: 130 },
  {
    key: 'updated_at',
    title: 'log_config.updated_at',
    sortable: true,
    width: 140,
    card: 'field',
    render: (row) => <Time value={row.updated_at} />,
  },
];

const filters: Filter<'type' | 'kept'>[] = [
  { kind: 'text', key: 'type', label: 'log_config.search' },
  { kind: 'boolean', key: 'kept', label: 'log_config.kept', yes: 'log_config.kept_yes', no: 'log_config.kept_no' },
];

/** What a rule says, for the rules' own screen and for one type. */
export const ruleFields = (type?: string, isAlwaysKept = false): FieldData[] => [
  ...(isAlwaysKept ? [] : [{ kind: 'switch', name: 'kept', label: 'log_config.kept' } as const]),
  {
    kind: 'number',
    name: 'retention_days',
    label: 'log_config.retention_days',
    help: 'log_config.retention_help',
    placeholder: 'log_config.retention_default',
    minimum: 1,
    maximum: 3650,
    required: false,
  },
  {
    kind: 'custom',
    name: 'template',
    label: 'log_config.template',
    help: 'log_config.template_help',
    render: (control) => <TemplateField {...(control as ControlProps<string | null>)} type={type} />,
  },
];
const remark: FieldData = { kind: 'text', name: 'remark', label: 'log_config.remark' };

function Retention({ row }: { row: LogConfig }) {
  const { t } = useTranslation();
  return row.retention_days ?? <span className="lc-soft">{t('log_config.retention_default')}</span>;
}

function Template({ row }: { row: LogConfig }) {
  const { t } = useTranslation();
  return row.template === null ? (
    <span className="lc-soft">{t('log_config.template_none')}</span>
  ) : (
    <span className="lc-code">{row.template}</span>
  );
}

/** The rules of the log: what is kept, how long, in which words. */
export function LogConfigPage() {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<LogConfig | 'new' | null>(null);
  const removal = useRemoval<LogConfig, unknown>(api.log_config.remove, {
    node: 'log_config.remove',
    title: 'log_config.remove_title',
    many: 'log_config.remove_many_title',
    content: 'log_config.remove_content',
    name: ({ type }) => ({ type }),
    invalidates: ['log', 'log_type'],
  });

  const addButton = <AddButton node="log_config.add" label="log_config.add" onClick={() => setEdited('new')} />;
  return (
    <>
      <ListPage
        title="log_config.title"
        help={t('log_config.help')}
        list={api.log_config.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'type', order: 'asc' }}
        exportName="log_config.title"
        actions={addButton}
        empty={{ title: 'log_config.empty', help: 'log_config.empty_help', action: addButton }}
        rowActions={[{ key: 'update', label: 'common.edit', node: 'log_config.update', onClick: setEdited }, removal.row]}
        batchActions={[removal.batch]}
      />
      {edited === 'new' && (
        <FormModal
          action={api.log_config.add}
          title="log_config.add"
          submit="log_config.add"
          size="medium"
          invalidates={['log', 'log_type']}
          initial={{ kept: true }}
          fields={[
            { kind: 'text', name: 'type', label: 'log_config.type', help: 'log_config.type_help', placeholder: 'role/*', code: true },
            ...ruleFields(),
            remark,
          ]}
          onClose={() => setEdited(null)}
        />
      )}
      {edited !== null && edited !== 'new' && (
        <FormModal
          action={api.log_config.update}
          title="log_config.update"
          submit="log_config.save"
          size="medium"
          intro={<span className="lc-code">{edited.type}</span>}
          invalidates={['log', 'log_type']}
          initial={{ kept: edited.kept, retention_days: edited.retention_days, template: edited.template, remark: edited.remark }}
          toInput={(values) => ({ ...values, id: edited.id })}
          fields={[...ruleFields(edited.type), remark]}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
