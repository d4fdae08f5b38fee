import { Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InputOf } from '../../contract/kit/call.ts';
import type { Page } from '../../contract/kit/page.ts';
import type { Platform, urlKeyPlatform } from '../../contract/links/url-key-platform.ts';
import { api, type Endpoint } from '../kit/calls/api.ts';
import { useCrudList } from '../kit/crud/useCrud.tsx';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { Status } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { PlatformForm } from './platforms/PlatformForm.tsx';
import { typeLabel, typeOptions } from './platforms/platform.fields.tsx';
import { PlatformTestRun } from './platforms/TestBox.tsx';

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
  if (row.last_error === null) return <span className="lc-soft">{t('common.none')}</span>;
  return (
    <Tooltip title={row.last_error}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it opens the tooltip. */}
      <span tabIndex={0} className="lc-platform-fault">
        <Status kind="error" label={row.last_error} />
      </span>
    </Tooltip>
  );
}

/** Asked without `data_only`, with which alone the call answers less than whole rows. */
const platformList = api.url_key_platform.inquire as Endpoint<InputOf<(typeof urlKeyPlatform)['calls']['inquire']>, Page<Platform>>;

const columns = columnsOf(platformList, [
  { key: 'name', kind: 'name', width: 180 },
  { key: 'enabled', kind: 'enabled' },
  { key: 'type', card: 'field', exportValue: (row) => typeLabel(row.type), render: (row) => <TypeName row={row} /> },
  {
    key: 'config',
    title: 'common.field.host',
    width: 190,
    exportValue: hostOf,
    render: (row) => <span className="lc-code">{hostOf(row)}</span>,
  },
  { key: 'used', kind: 'number', width: 90 },
  { key: 'last_error', width: 220, card: 'field', render: (row) => <LastError row={row} /> },
  { key: 'last_error_at', kind: 'time', width: 130, hiddenByDefault: true },
  { key: 'sort', align: 'right', width: 80 },
  { key: 'remark' },
  { key: 'created_at', kind: 'time', width: 130 },
]);

function TypeName({ row }: { row: Platform }) {
  const { t } = useTranslation();
  return `${row.type}. ${t(typeLabel(row.type))}`;
}

const filters: Filter<'search' | 'type' | 'enabled' | 'failing'>[] = [
  { kind: 'text', key: 'search', label: 'url_key_platform.search' },
  { kind: 'select', key: 'type', label: 'common.field.type', options: typeOptions },
  { kind: 'boolean', key: 'enabled', label: 'common.field.enabled', yes: 'common.enabled', no: 'common.disabled' },
  {
    kind: 'boolean',
    key: 'failing',
    label: 'url_key_platform.last_error',
    yes: 'url_key_platform.failing',
    no: 'common.none',
  },
];

/** The platforms that make short links: by type-specific forms, tried out with what they send and get. */
export function UrlKeyPlatformPage() {
  const { t } = useTranslation();
  const [tested, setTested] = useState<Platform | null>(null);
  const [sorted, setSorted] = useState<Platform | null>(null);
  const { list, acts, edited, close } = useCrudList<Platform>(api.url_key_platform, {
    name: ({ name }) => name,
    invalidates: ['short_code'],
  });
  return (
    <>
      <ListPage
        list={platformList}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        {...list}
        help={t('url_key_platform.help')}
        rowActions={[
          { key: 'test', label: 'url_key_platform.test', node: 'url_key_platform.test', onClick: setTested },
          acts.update,
          acts.enabled,
          { key: 'sort', label: 'common.field.sort', node: 'url_key_platform.update', onClick: setSorted },
          acts.remove,
        ]}
        batchActions={list.batchActions.filter(({ key }) => key === 'remove')}
      />
      {edited !== null && <PlatformForm {...(edited === 'new' ? {} : { edited })} onClose={close} />}
      {sorted && (
        <FormModal
          action={api.url_key_platform.update}
          title={t('url_key_platform.sort_of', { name: sorted.name })}
          submit="common.save"
          initial={{ sort: sorted.sort }}
          toInput={(values) => ({ ...values, id: sorted.id })}
          fields={[{ kind: 'number', name: 'sort', label: 'common.field.sort', help: 'url_key_platform.sort_help', minimum: 0 }]}
          onClose={() => setSorted(null)}
        />
      )}
      {tested && (
        <Modal open title={t('common.test_of', { name: tested.name })} footer={null} onCancel={() => setTested(null)}>
          <PlatformTestRun subject={() => ({ id: tested.id })} />
        </Modal>
      )}
    </>
  );
}
