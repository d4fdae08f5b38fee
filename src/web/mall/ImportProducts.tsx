import { FileTextOutlined } from '@ant-design/icons';
import { Button, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CheckedImport, checkedImport, importColumns, type LineFault } from '../../contract/content/mall-product-list.ts';
import { api, uploadTo } from '../kit/calls/api.ts';
import { fieldErrorText } from '../kit/calls/failure.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Amount, Time } from '../kit/feedback.ts';
import { FileDrop } from '../kit/form/FileDrop.tsx';
import { csvFile, saveFile } from '../kit/list/export/exportCsv.ts';
import { useFormat } from '../kit/texts/format.ts';
import { useDone } from '../kit/undo/useDone.tsx';

const calls = api.mall_product_list;
const common = { name: 'common.field.name', sort: 'common.field.sort', enabled: 'common.shown' };

/** A column as the export calls it, and an import knows it again. */
function useColumnName(): (column: string) => string {
  const { t } = useTranslation();
  return (column) => t(column in common ? common[column as keyof typeof common] : `mall_product_list.${column}`);
}

/** Takes an import back, after it was asked about, and says what became of it. */
function useUndoImport() {
  const { t } = useTranslation();
  const done = useDone();
  const undo = useAction(calls.undo_import, {
    success: false,
    invalidates: ['mall_category_list'],
    onSuccess: ({ affected, kept }) =>
      void done(t(kept > 0 ? 'mall_product_list.import_undone_kept' : 'mall_product_list.import_undone', { count: affected, kept })),
  });
  return (id: string) => undo.run({ id });
}

/** Two steps: a file, then what would become of its lines, with what is wrong beside them. */
export function ImportProducts({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const done = useDone();
  const undo = useUndoImport();
  const [checked, setChecked] = useState<CheckedImport | null>(null);
  const start = useAction(calls.import, { success: false, invalidates: ['mall_category_list'] });
  async function run() {
    if (!checked) return;
    const made = await start.run({ id: checked.id });
    if (!made) return;
    void done(t('mall_product_list.imported', { count: made.affected }), () => void undo(checked.id));
    onClose();
  }
  const footer = checked && (
    <div className="lc-form-footer">
      <Button onClick={() => setChecked(null)}>{t('mall_product_list.other_file')}</Button>
      <Button type="primary" disabled={checked.products === 0} loading={start.isRunning} onClick={() => void run()}>
        {t('mall_product_list.import_start', { count: checked.products })}
      </Button>
    </div>
  );
  return (
    <Modal
      open
      className="lc-form-modal"
      title={t('mall_product_list.import')}
      centered
      mask={{ closable: false }}
      onCancel={onClose}
      footer={footer}
    >
      {checked ? (
        <>
          <p className="lc-form-intro">
            {t('mall_product_list.import_read', { name: checked.name, lines: format.exact(checked.lines) })}
            {checked.ignored.length > 0 && ` ${t('mall_product_list.import_ignored', { names: checked.ignored.join(t('common.comma')) })}`}
          </p>
          <Preview checked={checked} />
        </>
      ) : (
        <>
          <ChooseFile onChecked={setChecked} />
          <Earlier />
        </>
      )}
    </Modal>
  );
}

function ChooseFile({ onChecked }: { onChecked: (checked: CheckedImport) => void }) {
  const { t } = useTranslation();
  const columnName = useColumnName();
  async function read(file: Blob, onProgress: (share: number) => void) {
    onChecked(await uploadTo('/api/mall_product_list/file', checkedImport, file, { onProgress }));
    return undefined;
  }
  const template = () =>
    saveFile(csvFile([importColumns.map(columnName)]), `${t('mall_product_list.template_name')}.csv`, 'text/csv;charset=utf-8');
  return (
    <>
      <FileDrop accept=".csv,.tsv,.txt,.xlsx" text={t('mall_product_list.drop')} hint={t('mall_product_list.drop_help')} read={read} />
      <Button className="lc-mall-template" icon={<FileTextOutlined />} onClick={template}>
        {t('mall_product_list.template')}
      </Button>
    </>
  );
}

/** Imports of the caller's that can still be taken back. */
function Earlier() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const undo = useUndoImport();
  const rows = (useCall(calls.imports, {}).data?.content ?? []).filter(({ undone_at, products }) => undone_at === null && products > 0);
  if (rows.length === 0) return null;
  const ask = (id: string, count: number) =>
    confirm({
      title: t('mall_product_list.undo_title', { count }),
      content: 'mall_product_list.undo_content',
      confirm: 'menu.button.undo',
      danger: true,
      run: async () => {
        await undo(id);
      },
    });
  return (
    <section className="lc-mall-earlier">
      <h3>{t('mall_product_list.earlier')}</h3>
      <ul>
        {rows.map(({ id, name, imported_at, products }) => (
          <li key={id}>
            <span>{name}</span>
            <Time value={imported_at} />
            <span className="lc-num">{t('mall_product_list.products', { count: products })}</span>
            <Button size="small" onClick={() => void ask(id, products)}>
              {t('menu.button.undo')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Preview({ checked: { products, refused, faults, preview } }: { checked: CheckedImport }) {
  const { t } = useTranslation();
  const columnName = useColumnName();
  return (
    <div className="lc-mall-import">
      <p>{t(refused > 0 ? 'mall_product_list.import_some' : 'mall_product_list.import_all', { count: products, refused })}</p>
      {faults.length > 0 && (
        <Table<LineFault>
          size="small"
          rowKey={({ row, column, code, value }) => `${row} ${column} ${code} ${value}`}
          dataSource={faults}
          pagination={faults.length > 50 ? { pageSize: 50, showSizeChanger: false } : false}
          scroll={{ x: 520, y: '26vh' }}
          columns={[
            { key: 'row', dataIndex: 'row', title: t('mall_product_list.line'), width: 64, align: 'right' },
            { key: 'column', title: t('mall_product_list.column'), width: 140, render: (_, { column }) => columnName(column) },
            {
              key: 'code',
              title: t('mall_product_list.problem'),
              width: 240,
              render: (_, { code, params }) => fieldErrorText(code, params),
            },
            { key: 'value', dataIndex: 'value', title: t('common.field.content'), ellipsis: true },
          ]}
        />
      )}
      {preview.length > 0 && (
        <>
          <h3>{t('common.preview')}</h3>
          <Table
            size="small"
            rowKey="row"
            dataSource={preview}
            pagination={false}
            scroll={{ x: 600, y: '30vh' }}
            columns={[
              { key: 'row', dataIndex: 'row', title: t('mall_product_list.line'), width: 64, align: 'right' },
              { key: 'name', dataIndex: 'name', title: t('common.field.name'), ellipsis: true },
              { key: 'category', dataIndex: 'category', title: t('mall_product_list.category_id'), width: 180, ellipsis: true },
              { key: 'variants', dataIndex: 'variants', title: t('mall_product_list.variant_number'), width: 90, align: 'right' },
              {
                key: 'lowest_price',
                title: t('mall_product_list.lowest_price'),
                width: 110,
                align: 'right',
                render: (_, { lowest_price }) => <Amount value={lowest_price} />,
              },
              { key: 'stock', dataIndex: 'stock', title: t('mall_product_list.stock'), width: 90, align: 'right' },
            ]}
          />
        </>
      )}
    </div>
  );
}
