import { DownloadOutlined, UploadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LanguageRow, TextRow } from '../../../contract/system/language-list.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Drawer, Dropdown } from '../../kit/dialogs/dialogs.tsx';
import { Field, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { Status, Time } from '../../kit/feedback.ts';
import { type Column, type Filter, ListTable } from '../../kit/ListPage.tsx';
import { saveFile } from '../../kit/list/export/exportCsv.ts';
import { useIsPhone } from '../../kit/look/media.ts';
import { ImportDialog } from './ImportDialog.tsx';

const stateLabel = (row: TextRow) => (row.text === null ? 'language_list.built_in' : 'language_list.overwritten');

const columns: Column<TextRow>[] = [
  {
    key: 'key',
    title: 'language_list.key',
    sortable: true,
    width: 250,
    card: 'title',
    render: (row) => <span className="lc-code languages-key">{row.key}</span>,
  },
  {
    key: 'built_in',
    title: 'language_list.built_in_text',
    width: 300,
    card: 'field',
    render: (row) => <span className="languages-text">{row.built_in}</span>,
  },
  {
    key: 'text',
    title: 'language_list.own_text',
    width: 300,
    card: 'field',
    render: (row) => (row.text === null ? <span className="lc-soft">–</span> : <span className="languages-text">{row.text}</span>),
  },
  {
    key: 'state',
    title: 'language_list.state',
    width: 110,
    card: 'aside',
    render: (row) => <Status kind={row.text === null ? 'neutral' : 'info'} label={stateLabel(row)} />,
  },
  {
    key: 'updated_at',
    title: 'language_list.updated_at',
    sortable: true,
    width: 140,
    render: (row) => (row.updated_at ? <Time value={row.updated_at} /> : <span className="lc-soft">–</span>),
  },
  { key: 'updated_by_account', title: 'language_list.updated_by', width: 120 },
];

const filters: Filter<'search' | 'overridden'>[] = [
  { kind: 'text', key: 'search', label: 'language_list.search_texts' },
  { kind: 'boolean', key: 'overridden', label: 'language_list.state', yes: 'language_list.overwritten', no: 'language_list.built_in' },
];

/** Saves the texts of a language as JSON, as an import takes it. */
async function exportTexts(code: string, overridden: boolean): Promise<void> {
  const { texts } = await api.language_list.export_texts({ code, overridden });
  saveFile(`${JSON.stringify(texts, null, 2)}\n`, `${code}${overridden ? '-overrides' : ''}.json`, 'application/json');
}

/** The texts of one language: found by key or words, overwritten, put back, exported and imported. */
export function TextsDrawer({ language, onClose }: { language: LanguageRow; onClose: () => void }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const isPhone = useIsPhone();
  const { code, title } = language;
  const [isOpen, setIsOpen] = useState(true);
  const [edited, setEdited] = useState<TextRow | null>(null);
  const [isImporting, setIsImporting] = useState(false);
  const { run: reset } = useAction(api.language_list.reset_texts, { invalidates: ['website'] });

  async function askToReset(rows: readonly TextRow[]) {
    const keys = rows.filter((row) => row.text !== null).map((row) => row.key);
    if (keys.length === 0) return true;
    const agreed = await confirm({
      title: t('language_list.reset_title', { number: keys.length }),
      content: 'language_list.reset_content',
      confirm: 'language_list.reset',
    });
    return agreed && (await reset({ code, keys })) !== undefined;
  }

  const tools = (
    <span className={isPhone ? 'languages-tools is-above' : 'languages-tools'}>
      <Dropdown
        menu={{
          items: [
            { key: 'all', label: t('language_list.export_all') },
            { key: 'overridden', label: t('language_list.export_overridden') },
          ],
          onClick: ({ key }) => void exportTexts(code, key === 'overridden'),
        }}
      >
        <Button icon={<DownloadOutlined />}>{t('language_list.export')}</Button>
      </Dropdown>
      <Allowed node="language_list.texts">
        <Button icon={<UploadOutlined />} onClick={() => setIsImporting(true)}>
          {t('language_list.import')}
        </Button>
      </Allowed>
    </span>
  );
  return (
    <Drawer
      open={isOpen}
      afterOpenChange={(open) => open || onClose()}
      onClose={() => setIsOpen(false)}
      size={1280}
      title={t('language_list.texts_of', { name: title })}
      extra={isPhone ? undefined : tools}
    >
      {isPhone && tools}
      <ListTable
        list={api.language_list.inquire_texts}
        columns={columns}
        filters={filters}
        rowKey="key"
        name="language_list.texts"
        fixedInput={{ code }}
        empty={{ title: 'language_list.no_texts' }}
        rowActions={[
          { key: 'edit', label: 'language_list.overwrite', node: 'language_list.texts', onClick: setEdited },
          {
            key: 'reset',
            label: 'language_list.reset',
            node: 'language_list.texts',
            visible: (row) => row.text !== null,
            onClick: (row) => void askToReset([row]),
          },
        ]}
        batchActions={[{ key: 'reset', label: 'language_list.reset', node: 'language_list.texts', onClick: askToReset }]}
      />
      {edited && (
        <FormModal
          action={api.language_list.update_text}
          title="language_list.overwrite"
          submit="common.save"
          size="medium"
          initial={{ text: edited.text ?? edited.built_in }}
          toInput={(values) => ({ ...values, code, key: edited.key })}
          invalidates={['website']}
          onClose={() => setEdited(null)}
        >
          <dl className="languages-built-in">
            <dt>{t('language_list.key')}</dt>
            <dd className="lc-code languages-key">{edited.key}</dd>
            <dt>{t('language_list.built_in_text')}</dt>
            <dd className="languages-text" lang={language.base}>
              {edited.built_in}
            </dd>
          </dl>
          <Field kind="textarea" name="text" label="language_list.own_text" help="language_list.gaps_help" rows={4} />
        </FormModal>
      )}
      {isImporting && <ImportDialog code={code} name={title} onClose={() => setIsImporting(false)} />}
    </Drawer>
  );
}
