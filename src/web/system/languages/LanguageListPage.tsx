import { Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultFlag, isBuiltInLanguage, languageNames, showStatus } from '../../../contract/enums.ts';
import type { LanguageRow } from '../../../contract/system/language-list.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { AddButton } from '../../kit/dialogs/removal.tsx';
import { type Filter, ListPage, type RowAction } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { addFields, editFields } from './languages.fields.ts';
import { TextsDrawer } from './TextsDrawer.tsx';
import './languages.css';

const statusLabel = (row: LanguageRow) => (row.show_status === showStatus.shown ? 'common.shown' : 'common.hidden');
const isDefault = (row: LanguageRow) => row.default_language === defaultFlag.yes;
const isShown = (row: LanguageRow) => row.show_status === showStatus.shown;

function Titled({ row }: { row: LanguageRow }) {
  const { t } = useTranslation();
  return (
    <span className="lc-languages-titled">
      {row.icon && <span aria-hidden>{row.icon}</span>}
      <b lang={row.code}>{row.title}</b>
      {isDefault(row) && <Tag color="blue">{t('common.default')}</Tag>}
      {!row.built_in && <Tag>{t('language_list.added')}</Tag>}
    </span>
  );
}

const columns = columnsOf(api.language_list.inquire_all, [
  { key: 'title', kind: 'name', title: 'language_list.name', render: (row) => <Titled row={row} /> },
  { key: 'code', width: 110, card: 'field', render: (row) => <span className="lc-code">{row.code}</span> },
  {
    key: 'base',
    width: 130,
    hiddenByDefault: true,
    exportValue: (row) => languageNames[row.base],
    render: (row) => languageNames[row.base],
  },
  { key: 'abbreviation', width: 80 },
  { key: 'country', width: 90 },
  { key: 'phone_area_code', width: 100 },
  { key: 'overridden', kind: 'number', width: 120 },
  { key: 'sort', kind: 'number', width: 90 },
  { key: 'show_status', kind: 'status', status: (row) => ({ kind: isShown(row) ? 'success' : 'neutral', label: statusLabel(row) }) },
  { key: 'updated_at', kind: 'time' },
]);

const filters: Filter<'search' | 'show_status'>[] = [
  { kind: 'text', key: 'search', label: 'language_list.search' },
  {
    kind: 'select',
    key: 'show_status',
    label: 'language_list.show_status',
    options: [
      { value: showStatus.shown, label: 'common.shown' },
      { value: showStatus.hidden, label: 'common.hidden' },
    ],
  },
];

/** The languages of the site: offer, rank, add, and overwrite their texts. */
export function LanguageListPage() {
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
      await remove({ code }, { name: title });
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
      onClick: ({ code, show_status }) =>
        void update(
          { code, show_status: show_status === showStatus.shown ? showStatus.hidden : showStatus.shown },
          { undo: { code, show_status } },
        ),
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
      label: 'common.crud.to_top',
      node: 'language_list.update',
      onClick: ({ code, sort }) => void rank({ code, sort: null }, { undo: { code, sort } }),
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
  const addButton = <AddButton node="language_list.add" label="language_list.add" onClick={() => setEdited('new')} />;
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
      {edited === 'new' && <AddLanguage onClose={() => setEdited(null)} />}
      {edited !== null && edited !== 'new' && <EditLanguage language={edited} onClose={() => setEdited(null)} />}
      {texts && <TextsDrawer language={texts} onClose={() => setTexts(null)} />}
    </>
  );
}

function AddLanguage({ onClose }: { onClose: () => void }) {
  return (
    <FormModal
      action={api.language_list.add}
      title="language_list.add"
      submit="language_list.add"
      initial={{ base: 'en-US', show_status: showStatus.shown }}
      fields={addFields}
      invalidates={['website']}
      onClose={onClose}
    />
  );
}

function EditLanguage({ language, onClose }: { language: LanguageRow; onClose: () => void }) {
  const { code, title, icon, abbreviation, country, phone_area_code, sort, show_status } = language;
  return (
    <FormModal
      action={api.language_list.update}
      title="language_list.edit"
      submit="common.save"
      initial={{ title, icon, abbreviation, country, phone_area_code, sort, show_status }}
      toInput={(values) => ({ ...values, code })}
      fields={editFields}
      invalidates={['website']}
      onClose={onClose}
    />
  );
}
