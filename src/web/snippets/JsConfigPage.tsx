import { Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SnippetProvider, snippetPresets, snippetProviders } from '../../contract/links/js-config.providers.ts';
import { type Snippet, snippetApprovals } from '../../contract/links/js-config.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useCrud } from '../kit/crud/useCrud.tsx';
import { Copyable, Status } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { SnippetApproval } from './SnippetApproval.tsx';
import { SnippetCodes } from './SnippetCodes.tsx';
import { SnippetPreview } from './SnippetPreview.tsx';
import { initialOf, snippetFields, toSnippetInput } from './snippet.fields.ts';
import './snippets.css';

const approvalKinds = { waiting: 'warning', approved: 'success', refused: 'error' } as const;
/** A service's own name, which is no message; of one's own code there is one. */
const providerLabel = (provider: SnippetProvider): string => (provider === 'code' ? 'js_config.own_code' : snippetPresets[provider].name);

const columns = columnsOf(api.js_config.inquire, [
  { key: 'name', kind: 'name', width: 180 },
  {
    key: 'provider',
    width: 150,
    card: 'field',
    exportValue: (row) => providerLabel(row.provider),
    render: (row) => <Provider row={row} />,
  },
  {
    key: 'provider_id',
    width: 220,
    render: (row) => (row.provider === 'code' ? <Size row={row} /> : <Copyable value={row.provider_id} maximum={24} code />),
  },
  {
    key: 'approval',
    width: 140,
    card: 'aside',
    exportValue: (row) => `js_config.approval_${row.approval}`,
    render: (row) => (
      <Status
        kind={approvalKinds[row.approval]}
        label={`js_config.approval_${row.approval}`}
        {...(row.approval_reason ? { help: row.approval_reason } : {})}
      />
    ),
  },
  { key: 'enabled', kind: 'enabled', title: 'common.field.switched_on', card: undefined },
  {
    key: 'codes',
    title: 'js_config.where',
    width: 130,
    card: 'field',
    exportValue: (row) => (row.all_codes ? 'menu.qr_code_list_admin' : row.codes),
    render: (row) => <Where row={row} />,
  },
  { key: 'owner_account', title: 'common.field.user', width: 130, node: 'user_list' },
  { key: 'submitted_at', kind: 'time' },
  { key: 'created_at', kind: 'time', hiddenByDefault: true },
]);

const filters: Filter<'search' | 'approval' | 'provider' | 'enabled' | 'owner_id'>[] = [
  { kind: 'text', key: 'search', label: 'js_config.search' },
  {
    kind: 'select',
    key: 'approval',
    label: 'js_config.approval',
    options: snippetApprovals.map((value) => ({ value, label: `js_config.approval_${value}` })),
  },
  {
    kind: 'select',
    key: 'provider',
    label: 'js_config.provider',
    options: snippetProviders.map((value) => ({ value, label: providerLabel(value) })),
  },
  { kind: 'boolean', key: 'enabled', label: 'common.field.switched_on', yes: 'common.enabled', no: 'common.disabled', more: true },
  { kind: 'remote', key: 'owner_id', label: 'common.field.user', source: accountOptions, node: 'user_list' },
];

function Provider({ row }: { row: Snippet }) {
  const { t } = useTranslation();
  return row.provider === 'code' ? <Tag>{t('js_config.own_code')}</Tag> : snippetPresets[row.provider].name;
}

function Size({ row }: { row: Snippet }) {
  const { t } = useTranslation();
  return <span className="lc-soft">{t('js_config.characters', { number: row.code.length })}</span>;
}

function Where({ row }: { row: Snippet }) {
  const { t } = useTranslation();
  return row.all_codes ? t('menu.qr_code_list_admin') : <span className="lc-num">{t('js_config.codes', { number: row.codes })}</span>;
}

/** Snippets that run on landing pages: statistics services by their ids, or own code that an administrator has approved. */
export function JsConfigPage() {
  const { t } = useTranslation();
  const enable = useAction(api.js_config.update, {});
  const [judged, setJudged] = useState<Snippet | null>(null);
  const [opened, setOpened] = useState<Snippet | null>(null);
  const { list, acts, dialogs } = useCrud<Snippet>(api.js_config, {
    fields: () => snippetFields,
    initialOf,
    form: () => ({ toInput: toSnippetInput, children: <SnippetPreview /> }),
    name: ({ name }) => name,
    invalidates: ['qr_code_list'],
  });
  return (
    <>
      <ListPage
        help={t('js_config.help')}
        list={api.js_config.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        {...list}
        rowActions={[
          acts.update,
          {
            key: 'approve',
            label: 'js_config.judge',
            node: 'js_config.approve',
            visible: (row) => row.approval !== 'approved' || row.provider === 'code',
            onClick: setJudged,
          },
          { key: 'codes', label: 'common.show_codes', visible: (row) => row.codes > 0, onClick: setOpened },
          { ...acts.enabled, onClick: ({ id, enabled }) => void enable.run({ id, enabled: !enabled }, { undo: { id, enabled } }) },
          acts.remove,
        ]}
      />
      {dialogs}
      {judged && <SnippetApproval snippet={judged} onClose={() => setJudged(null)} />}
      {opened && <SnippetCodes snippet={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
