import { Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Platform } from '../../contract/links/url-key-platform.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { Num, Status, Time } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { PlatformForm } from './platforms/PlatformForm.tsx';
import { typeLabel, typeOptions } from './platforms/platform.fields.tsx';
import { TestRun } from './platforms/TestBox.tsx';

/** The host that a platform's links are asked of, or begin with. */
function hostOf({ config }: Platform): string {
  const address =
    'url' in config
      ? config.url
      : 'base_url' in config
        ? config.base_url
        : 'prefix' in config
          ? config.prefix
          : 'template' in config
            ? config.template
            : '';
  return /^https?:\/\/([^/?#]+)/i.exec(address)?.[1] ?? '';
}

function LastError({ row }: { row: Platform }) {
  const { t } = useTranslation();
  if (row.last_error === null) return <span className="lc-soft">{t('url_key_platform.no_error')}</span>;
  return (
    <Tooltip title={row.last_error}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it opens the tooltip. */}
      <span tabIndex={0} className="platform-fault">
        <Status kind="error" label={row.last_error} />
      </span>
    </Tooltip>
  );
}

const columns: Column<Platform>[] = [
  { key: 'name', title: 'url_key_platform.name', sortable: true, width: 180, card: 'title' },
  {
    key: 'enabled',
    title: 'url_key_platform.state',
    width: 100,
    card: 'aside',
    exportValue: (row) => (row.enabled ? 'common.enabled' : 'common.disabled'),
    render: (row) => <Status kind={row.enabled ? 'success' : 'neutral'} label={row.enabled ? 'common.enabled' : 'common.disabled'} />,
  },
  {
    key: 'type',
    title: 'url_key_platform.type',
    sortable: true,
    width: 180,
    card: 'field',
    exportValue: (row) => typeLabel(row.type),
    render: (row) => <TypeName row={row} />,
  },
  {
    key: 'host',
    title: 'url_key_platform.host',
    width: 190,
    exportValue: hostOf,
    render: (row) => <span className="lc-code">{hostOf(row)}</span>,
  },
  {
    key: 'used',
    title: 'url_key_platform.used',
    sortable: true,
    align: 'right',
    width: 90,
    card: 'field',
    render: (row) => <Num value={row.used} />,
  },
  { key: 'last_error', title: 'url_key_platform.last_error', width: 220, card: 'field', render: (row) => <LastError row={row} /> },
  {
    key: 'last_error_at',
    title: 'url_key_platform.last_error_at',
    sortable: true,
    width: 130,
    hiddenByDefault: true,
    render: (row) => <Time value={row.last_error_at} />,
  },
  { key: 'sort', title: 'url_key_platform.sort', sortable: true, align: 'right', width: 80 },
  { key: 'remark', title: 'url_key_platform.remark', width: 180 },
  { key: 'created_at', title: 'url_key_platform.created_at', sortable: true, width: 130, render: (row) => <Time value={row.created_at} /> },
];

function TypeName({ row }: { row: Platform }) {
  const { t } = useTranslation();
  return `${row.type}. ${t(typeLabel(row.type))}`;
}

const filters: Filter<'search' | 'type' | 'enabled' | 'failing'>[] = [
  { kind: 'text', key: 'search', label: 'url_key_platform.search' },
  { kind: 'select', key: 'type', label: 'url_key_platform.type', options: typeOptions },
  { kind: 'boolean', key: 'enabled', label: 'url_key_platform.state', yes: 'common.enabled', no: 'common.disabled' },
  {
    kind: 'boolean',
    key: 'failing',
    label: 'url_key_platform.last_error',
    yes: 'url_key_platform.failing',
    no: 'url_key_platform.no_error',
  },
];

/** The platforms that make short links: by type-specific forms, tried out with what they send and get. */
export function PlatformsPage() {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<Platform | 'new' | null>(null);
  const [tested, setTested] = useState<Platform | null>(null);
  const [sorted, setSorted] = useState<Platform | null>(null);
  const enable = useAction(api.url_key_platform.update_enabled, { invalidates: ['short_code'] });
  const removal = useRemoval<Platform, unknown>(api.url_key_platform.remove, {
    node: 'url_key_platform.remove',
    title: 'url_key_platform.remove_title',
    many: 'url_key_platform.remove_many_title',
    content: 'url_key_platform.remove_content',
    name: ({ name }) => ({ name }),
  });
  const addButton = <AddButton node="url_key_platform.add" label="url_key_platform.add" onClick={() => setEdited('new')} />;
  return (
    <>
      <ListPage
        title="menu.url_key_platform"
        help={t('url_key_platform.help')}
        list={api.url_key_platform.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        exportName="menu.url_key_platform"
        actions={addButton}
        empty={{ title: 'url_key_platform.empty', help: 'url_key_platform.empty_help', action: addButton }}
        rowActions={[
          { key: 'test', label: 'url_key_platform.test', node: 'url_key_platform.test', onClick: setTested },
          { key: 'update', label: 'common.edit', node: 'url_key_platform.update', onClick: setEdited },
          {
            key: 'enable',
            label: (row) => (row.enabled ? 'common.disable' : 'common.enable'),
            node: 'url_key_platform.update',
            onClick: (row) => void enable.run({ ids: [row.id], enabled: !row.enabled }),
          },
          { key: 'sort', label: 'url_key_platform.sort', node: 'url_key_platform.update', onClick: setSorted },
          removal.row,
        ]}
        batchActions={[removal.batch]}
      />
      {edited !== null && <PlatformForm {...(edited === 'new' ? {} : { edited })} onClose={() => setEdited(null)} />}
      {sorted && (
        <FormModal
          action={api.url_key_platform.update}
          title={t('url_key_platform.sort_of', { name: sorted.name })}
          submit="common.save"
          size="small"
          initial={{ sort: sorted.sort }}
          toInput={(values) => ({ ...values, id: sorted.id })}
          fields={[{ kind: 'number', name: 'sort', label: 'url_key_platform.sort', help: 'url_key_platform.sort_help', minimum: 0 }]}
          onClose={() => setSorted(null)}
        />
      )}
      {tested && (
        <Modal
          open
          title={t('url_key_platform.test_of', { name: tested.name })}
          width="min(96%, 680px)"
          footer={null}
          onCancel={() => setTested(null)}
        >
          <TestRun subject={() => ({ id: tested.id })} />
        </Modal>
      )}
    </>
  );
}
