import { PlusOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultFlag, isBuiltInLanguage, languageNames, showStatus } from '../../../contract/enums.ts';
import type { LanguageRow } from '../../../contract/system/language-list.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { Num, Status, Time } from '../../kit/feedback.ts';
import { type Column, type Filter, ListPage, type RowAction } from '../../kit/ListPage.tsx';
import { addFields, editFields } from './languages.fields.ts';
import { TextsDrawer } from './TextsDrawer.tsx';
import './languages.css';

const statusLabel = (row: LanguageRow) => (row.show_status === showStatus.shown ? 'language_list.shown' : 'language_list.hidden');
const isDefault = (row: LanguageRow) => row.default_language === defaultFlag.yes;
const isShown = (row: LanguageRow) => row.show_status === showStatus.shown;

function Titled({ row }: { row: LanguageRow }) {
  const { t } = useTranslation();
  return (
    <span className="languages-titled">
      {row.icon && <span aria-hidden>{row.icon}</span>}
      <b lang={row.code}>{row.title}</b>
      {isDefault(row) && <Tag color="blue">{t('language_list.default')}</Tag>}
      {!row.built_in && <Tag>{t('language_list.added')}</Tag>}
    </span>
  );
}

const columns: Column<LanguageRow>[] = [
  {
    key: 'title',
    title: 'language_list.name',
    sortable: true,
    width: 220,
    card: 'title',
    render: (row) => <Titled row={row} />,
  },
  {
    key: 'code',
    title: 'language_list.code',
    sortable: true,
    width: 110,
    card: 'field',
    render: (row) => <span className="lc-code">{row.code}</span>,
  },
  {
    key: 'base',
    title: 'language_list.base',
    width: 130,
    hiddenByDefault: true,
    render: (row) => languageNames[row.base],
    exportValue: (row) => languageNames[row.base],
  },
  { key: 'abbreviation', title: 'language_list.abbreviation', width: 80 },
  { key: 'country', title: 'language_list.country', width: 90 },
  { key: 'phone_area_code', title: 'language_list.phone_area_code', width: 100 },
  {
    key: 'overridden',
    title: 'language_list.overridden',
    sortable: true,
    align: 'right',
    width: 120,
    card: 'field',
    render: (row) => <Num value={row.overridden} />,
  },
  {
    key: 'sort',
    title: 'language_list.sort',
    sortable: true,
    align: 'right',
    width: 90,
    card: 'field',
    render: (row) => <Num value={row.sort} />,
  },
  {
    key: 'show_status',
    title: 'language_list.show_status',
    width: 110,
    card: 'aside',
    exportValue: statusLabel,
    render: (row) => <Status kind={isShown(row) ? 'success' : 'neutral'} label={statusLabel(row)} />,
  },
  { key: 'updated_at', title: 'language_list.updated_at', sortable: true, width: 140, render: (row) => <Time value={row.updated_at} /> },
];

const filters: Filter<'search' | 'show_status'>[] = [
  { kind: 'text', key: 'search', label: 'language_list.search' },
  {
    kind: 'select',
    key: 'show_status',
    label: 'language_list.show_status',
    options: [
      { value: showStatus.shown, label: 'language_list.shown' },
      { value: showStatus.hidden, label: 'language_list.hidden' },
    ],
  },
];

/** The languages of the site: offer, rank, add, and overwrite their texts. */
export function LanguagesPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const [edited, setEdited] = useState<LanguageRow | 'new' | null>(null);
  const [texts, setTexts] = useState<LanguageRow | null>(null);
  const { run: update } = useAction(api.language_list.update, { invalidates: ['website', 'configuration'] });
  const { run: rank } = useAction(api.language_list.update_sort, { invalidates: ['website'] });
  const { run: remove } = useAction(api.language_list.remove, { invalidates: ['website'] });

  async function askToRemove({ code, title, overridden }: LanguageRow) {
    const content = t('language_list.remove_content', { number: overridden });
    if (await confirm({ title: t('language_list.remove_title', { name: title }), content, confirm: 'common.remove', danger: true }))
      await remove({ code });
  }
  async function askForDefault({ code, title }: LanguageRow) {
    const asked = {
      title: t('language_list.default_title', { name: title }),
      content: 'language_list.default_content',
      confirm: 'language_list.make_default',
    };
    if (await confirm(asked)) await update({ code, default_language: defaultFlag.yes });
  }

  const rowActions: RowAction<LanguageRow>[] = [
    { key: 'texts', label: 'language_list.texts', onClick: setTexts },
    { key: 'update', label: 'common.edit', node: 'language_list.update', onClick: setEdited },
    {
      key: 'show',
      label: (row) => (isShown(row) ? 'language_list.hide' : 'language_list.show'),
      node: 'language_list.update',
      visible: (row) => !isDefault(row),
      onClick: (row) => void update({ code: row.code, show_status: isShown(row) ? showStatus.hidden : showStatus.shown }),
    },
    {
      key: 'default',
      label: 'language_list.make_default',
      node: 'language_list.update',
      visible: (row) => !isDefault(row) && isShown(row) && isBuiltInLanguage(row.code),
      onClick: (row) => void askForDefault(row),
    },
    {
      key: 'top',
      label: 'language_list.to_top',
      node: 'language_list.update',
      onClick: (row) => void rank({ code: row.code, sort: null }),
    },
    {
      key: 'remove',
      label: 'common.remove',
      node: 'language_list.remove',
      danger: true,
      visible: (row) => !row.built_in,
      onClick: (row) => void askToRemove(row),
    },
  ];
  const addButton = (
    <Allowed node="language_list.add">
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited('new')}>
        {t('language_list.add')}
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListPage
        title="menu.language_list"
        help={t('language_list.help')}
        list={api.language_list.inquire_all}
        columns={columns}
        filters={filters}
        rowKey="code"
        defaultSort={{ sort: 'sort', order: 'desc' }}
        exportName="menu.language_list"
        actions={addButton}
        empty={{ title: 'language_list.empty', action: addButton }}
        rowActions={rowActions}
      />
      {edited === 'new' && (
        <FormModal
          action={api.language_list.add}
          title="language_list.add"
          submit="language_list.add"
          initial={{ base: 'en-US', show_status: showStatus.shown }}
          fields={addFields}
          invalidates={['website']}
          onClose={() => setEdited(null)}
        />
      )}
      {edited !== null && edited !== 'new' && (
        <FormModal
          action={api.language_list.update}
          title="language_list.edit"
          submit="common.save"
          initial={{
            title: edited.title,
            icon: edited.icon,
            abbreviation: edited.abbreviation,
            country: edited.country,
            phone_area_code: edited.phone_area_code,
            sort: edited.sort,
            show_status: edited.show_status,
          }}
          toInput={(values) => ({ ...values, code: edited.code })}
          fields={editFields}
          invalidates={['website']}
          onClose={() => setEdited(null)}
        />
      )}
      {texts && <TextsDrawer language={texts} onClose={() => setTexts(null)} />}
    </>
  );
}
