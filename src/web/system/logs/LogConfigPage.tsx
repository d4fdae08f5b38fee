import { useTranslation } from 'react-i18next';
import type { LogConfig } from '../../../contract/system/log-config.ts';
import { api } from '../../kit/calls/api.ts';
import { type CrudField, useCrud } from '../../kit/crud/useCrud.tsx';
import type { FieldData } from '../../kit/dialogs/FormModal.tsx';
import type { ControlProps } from '../../kit/form/controls.tsx';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { TemplateField } from './TemplateField.tsx';
import './logs.css';

const keptLabel = (kept: boolean) => (kept ? 'log_config.kept_yes' : 'log_config.kept_no');

const columns = columnsOf(api.log_config.inquire, [
  { key: 'type', kind: 'name', render: (row) => <span className="lc-code">{row.type}</span> },
  { key: 'kept', kind: 'status', status: (row) => ({ kind: row.kept ? 'success' : 'neutral', label: keptLabel(row.kept) }) },
  { key: 'retention_days', width: 120, align: 'right', card: 'field', render: (row) => <Retention row={row} /> },
  { key: 'template', width: 320, render: (row) => <Template row={row} /> },
  { key: 'remark', card: 'field' },
  { key: 'updated_by_account', title: 'log_config.updated_by', width: 130 },
  { key: 'updated_at', kind: 'time', card: 'field' },
]);

const filters: Filter<'type' | 'kept'>[] = [
  { kind: 'text', key: 'type', label: 'common.search_types' },
  { kind: 'boolean', key: 'kept', label: 'log_config.kept', yes: 'log_config.kept_yes', no: 'log_config.kept_no' },
];

/** What a rule says, for the rules' own screen and for one type. */
export const ruleFields = (type?: string, isAlwaysKept = false): (FieldData & { name: string })[] => [
  ...(isAlwaysKept ? [] : [{ kind: 'switch', name: 'kept', label: 'log_config.kept' } as const]),
  {
    kind: 'number',
    name: 'retention_days',
    label: 'log_config.retention_days',
    help: 'log_config.retention_help',
    placeholder: 'common.default',
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
const type: CrudField = { kind: 'text', name: 'type', help: 'log_config.type_help', placeholder: 'role/*', code: true };

function Retention({ row }: { row: LogConfig }) {
  const { t } = useTranslation();
  return row.retention_days ?? <span className="lc-soft">{t('common.default')}</span>;
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
  const { list, dialogs } = useCrud<LogConfig>(api.log_config, {
    fields: (rule) => [...(rule ? [] : [type]), ...ruleFields(rule?.type), { kind: 'text', name: 'remark' }],
    initialOf: (rule) =>
      rule ? { kept: rule.kept, retention_days: rule.retention_days, template: rule.template, remark: rule.remark } : { kept: true },
    form: (rule) => ({ intro: rule && <span className="lc-code">{rule.type}</span> }),
    name: ({ type }) => type,
    invalidates: ['log', 'log_type'],
  });
  return (
    <>
      <ListPage
        help={t('log_config.help')}
        list={api.log_config.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'type', order: 'asc' }}
        {...list}
      />
      {dialogs}
    </>
  );
}
