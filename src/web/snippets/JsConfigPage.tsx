import { Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SnippetProvider, snippetPresets, snippetProviders } from '../../contract/links/js-config.providers.ts';
import { type Snippet, snippetApprovals } from '../../contract/links/js-config.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { FormDrawer } from '../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { Copyable, Status, Time } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { remoteOptions } from '../kit/options.ts';
import { SnippetApproval } from './SnippetApproval.tsx';
import { SnippetCodes } from './SnippetCodes.tsx';
import { SnippetPreview } from './SnippetPreview.tsx';
import { initialOf, snippetFields, toSnippetInput } from './snippet.fields.ts';
import './snippets.css';

const approvalKinds = { waiting: 'warning', approved: 'success', refused: 'error' } as const;
const users = remoteOptions(
  api.user_list.options,
  (search) => ({ search }),
  (row) => ({ value: row.id, label: row.account }),
);
/** A service's own name, which is no message; of one's own code there is one. */
const providerLabel = (provider: SnippetProvider): string => (provider === 'code' ? 'js_config.own_code' : snippetPresets[provider].name);

const columns: Column<Snippet>[] = [
  { key: 'name', title: 'js_config.name', sortable: true, width: 180, card: 'title' },
  {
    key: 'provider',
    title: 'js_config.provider',
    width: 150,
    card: 'field',
    exportValue: (row) => providerLabel(row.provider),
    render: (row) => <Provider row={row} />,
  },
  {
    key: 'provider_id',
    title: 'js_config.provider_id',
    width: 220,
    exportValue: (row) => row.provider_id,
    render: (row) => (row.provider === 'code' ? <Size row={row} /> : <Copyable value={row.provider_id} maximum={24} code />),
  },
  {
    key: 'approval',
    title: 'js_config.approval',
    width: 120,
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
  {
    key: 'enabled',
    title: 'js_config.enabled',
    width: 100,
    exportValue: (row) => (row.enabled ? 'common.enabled' : 'common.disabled'),
    render: (row) => <Status kind={row.enabled ? 'success' : 'neutral'} label={row.enabled ? 'common.enabled' : 'common.disabled'} />,
  },
  {
    key: 'codes',
    title: 'js_config.where',
    width: 130,
    card: 'field',
    exportValue: (row) => (row.all_codes ? 'js_config.all_codes' : row.codes),
    render: (row) => <Where row={row} />,
  },
  { key: 'owner_account', title: 'js_config.owner', width: 130, node: 'user_list' },
  { key: 'submitted_at', title: 'js_config.submitted_at', sortable: true, width: 140, render: (row) => <Time value={row.submitted_at} /> },
  {
    key: 'created_at',
    title: 'js_config.created_at',
    sortable: true,
    width: 140,
    hiddenByDefault: true,
    render: (row) => <Time value={row.created_at} />,
  },
];

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
  { kind: 'boolean', key: 'enabled', label: 'js_config.enabled', yes: 'common.enabled', no: 'common.disabled', more: true },
  { kind: 'remote', key: 'owner_id', label: 'js_config.owner', source: users, node: 'user_list' },
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
  return row.all_codes ? t('js_config.all_codes') : <span className="lc-num">{t('js_config.codes', { number: row.codes })}</span>;
}

/** Snippets that run on landing pages: statistics services by their ids, or own code that an administrator has approved. */
export function JsConfigPage() {
  const { t } = useTranslation();
  const enable = useAction(api.js_config.update, {});
  const [isAdding, setIsAdding] = useState(false);
  const [edited, setEdited] = useState<Snippet | null>(null);
  const [judged, setJudged] = useState<Snippet | null>(null);
  const [opened, setOpened] = useState<Snippet | null>(null);
  const removal = useRemoval<Snippet, unknown>(api.js_config.remove, {
    node: 'js_config.remove',
    title: 'js_config.remove_title',
    many: 'js_config.remove_many',
    content: 'js_config.remove_content',
    name: ({ name }) => ({ name }),
    invalidates: ['qr_code_list'],
  });
  const addButton = <AddButton node="js_config.add" label="js_config.add" onClick={() => setIsAdding(true)} />;
  return (
    <>
      <ListPage
        title="menu.js_config"
        help={t('js_config.help')}
        list={api.js_config.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.js_config"
        actions={addButton}
        empty={{ title: 'js_config.empty', help: 'js_config.empty_help', action: addButton }}
        rowActions={[
          { key: 'update', label: 'common.edit', node: 'js_config.update', onClick: setEdited },
          {
            key: 'approve',
            label: 'js_config.judge',
            node: 'js_config.approve',
            visible: (row) => row.approval !== 'approved' || row.provider === 'code',
            onClick: setJudged,
          },
          { key: 'codes', label: 'js_config.show_codes', visible: (row) => row.codes > 0, onClick: setOpened },
          {
            key: 'enable',
            label: (row) => (row.enabled ? 'common.disable' : 'common.enable'),
            node: 'js_config.update',
            onClick: (row) => void enable.run({ id: row.id, enabled: !row.enabled }),
          },
          removal.row,
        ]}
        batchActions={[removal.batch]}
      />
      {isAdding && (
        <FormDrawer
          action={api.js_config.add}
          title="js_config.add"
          submit="js_config.add_submit"
          size="medium"
          fields={snippetFields}
          initial={initialOf(null)}
          toInput={toSnippetInput}
          onClose={() => setIsAdding(false)}
        >
          <SnippetPreview />
        </FormDrawer>
      )}
      {edited && (
        <FormDrawer
          action={api.js_config.update}
          title={t('js_config.update_title', { name: edited.name })}
          submit="common.save"
          size="medium"
          fields={snippetFields}
          initial={initialOf(edited)}
          toInput={(values) => ({ ...toSnippetInput(values), id: edited.id })}
          onClose={() => setEdited(null)}
        >
          <SnippetPreview />
        </FormDrawer>
      )}
      {judged && <SnippetApproval snippet={judged} onClose={() => setJudged(null)} />}
      {opened && <SnippetCodes snippet={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
