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
import { Time } from '../../kit/feedback.ts';
import { type Filter, ListTable } from '../../kit/ListPage.tsx';
import { saveFile } from '../../kit/list/export/exportCsv.ts';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { useIsPhone } from '../../kit/look/media.ts';
import { ImportDialog } from './ImportDialog.tsx';

const stateLabel = (row: TextRow) => (row.text === null ? 'language_list.built_in' : 'language_list.overwritten');

const columns = columnsOf(api.language_list.inquire_texts, [
  { key: 'key', kind: 'name', width: 220, render: (row) => <span className="lc-code lc-languages-key">{row.key}</span> },
  {
    key: 'built_in',
    title: 'language_list.built_in_text',
    width: 240,
    card: 'field',
    render: (row) => <span className="lc-languages-text">{row.built_in}</span>,
  },
  {
    key: 'text',
    title: 'language_list.own_text',
    width: 240,
    card: 'field',
    render: (row) => (row.text === null ? <span className="lc-soft">–</span> : <span className="lc-languages-text">{row.text}</span>),
  },
  { key: 'state', kind: 'status', status: (row) => ({ kind: row.text === null ? 'neutral' : 'info', label: stateLabel(row) }) },
  {
    key: 'updated_at',
    width: 140,
    render: (row) => (row.updated_at ? <Time value={row.updated_at} /> : <span className="lc-soft">–</span>),
  },
  { key: 'updated_by_account', title: 'language_list.updated_by', width: 120 },
]);

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

  const tools = <Tools code={code} isAbove={isPhone} onImport={() => setIsImporting(true)} />;
  return (
    <Drawer open onClose={onClose} size={1280} title={t('language_list.texts_of', { name: title })} extra={isPhone ? undefined : tools}>
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
      {edited && <TextForm language={language} row={edited} onClose={() => setEdited(null)} />}
      {isImporting && <ImportDialog code={code} name={title} onClose={() => setIsImporting(false)} />}
    </Drawer>
  );
}

type ToolsProps = { code: string; isAbove: boolean; onImport: () => void };

function Tools({ code, isAbove, onImport }: ToolsProps) {
  const { t } = useTranslation();
  return (
    <span className={isAbove ? 'lc-languages-tools lc-is-above' : 'lc-languages-tools'}>
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
        <Button icon={<UploadOutlined />} onClick={onImport}>
          {t('language_list.import')}
        </Button>
      </Allowed>
    </span>
  );
}

function TextForm({ language: { code, base }, row, onClose }: { language: LanguageRow; row: TextRow; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormModal
      action={api.language_list.update_text}
      title="language_list.overwrite"
      submit="common.save"
      initial={{ text: row.text ?? row.built_in }}
      toInput={(values) => ({ ...values, code, key: row.key })}
      invalidates={['website']}
      onClose={onClose}
    >
      <dl className="lc-languages-built-in">
        <dt>{t('language_list.key')}</dt>
        <dd className="lc-code lc-languages-key">{row.key}</dd>
        <dt>{t('language_list.built_in_text')}</dt>
        <dd className="lc-languages-text" lang={base}>
          {row.built_in}
        </dd>
      </dl>
      <Field kind="textarea" name="text" label="language_list.own_text" help="language_list.gaps_help" rows={4} />
    </FormModal>
  );
}
