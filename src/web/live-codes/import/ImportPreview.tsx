import { DownloadOutlined } from '@ant-design/icons';
import { Button, Table, Tag } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type codeImport, type ImportFile, importFields, type RowFault } from '../../../contract/codes/code-import.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import { fieldErrorText } from '../../kit/calls/failure.ts';
import { csvFile, saveFile } from '../../kit/list/export/exportCsv.ts';
import { useIsPhone } from '../../kit/look/media.ts';
import { useFormat } from '../../kit/texts/format.ts';

export type Checked = OutputOf<(typeof codeImport)['calls']['check']>;

const summary = ['added', 'updated', 'skipped', 'refused'] as const;

/** A column as the file's header has it; one that the file lacks by what it would hold. */
function useColumnName(): (column: string) => string {
  const { t } = useTranslation();
  return (column) => {
    const [, number] = /^target_(\d+)$/.exec(column) ?? [];
    if (number) return t('code_import.target', { number });
    return importFields.some((field) => field === column) ? t(`code_import.field.${column}`) : column;
  };
}

/** What an import would do: how many of what, each fault, and the first codes as they would be. */
export function ImportPreview({ checked, file, children }: { checked: Checked; file: ImportFile; children: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const columnName = useColumnName();
  function saveFaults() {
    const heading = ['row', 'column', 'problem', 'value'].map((key) => t(`code_import.${key}`));
    const lines = checked.faults.map(({ row, column, code, params, value }) => [
      row,
      columnName(column),
      fieldErrorText(code, params),
      value,
    ]);
    saveFile(csvFile([heading, ...lines]), `${file.name.replace(/\.\w+$/, '')}-${t('code_import.problem')}.csv`, 'text/csv;charset=utf-8');
  }
  return (
    <div className="lc-import-preview">
      <dl className="lc-import-summary">
        {summary.map((key) => (
          <div key={key} className={key === 'refused' && checked.refused > 0 ? 'lc-import-bad' : undefined}>
            <dt>{t(`code_import.summary.${key}`)}</dt>
            <dd className="lc-num">{format.exact(checked[key])}</dd>
          </div>
        ))}
      </dl>
      {checked.new_groups.length > 0 && (
        <p className="lc-soft">
          {t('code_import.new_groups', { names: checked.new_groups.slice(0, 12).join('、') + (checked.new_groups.length > 12 ? '…' : '') })}
        </p>
      )}
      {children}
      {checked.faults.length > 0 && (
        <section>
          <h3>
            {t('code_import.faults')}
            <Button type="link" size="small" icon={<DownloadOutlined />} onClick={saveFaults}>
              {t('code_import.download_faults')}
            </Button>
          </h3>
          <Faults faults={checked.faults} told="code_import.problem" />
        </section>
      )}
      {checked.notes.length > 0 && (
        <section>
          <h3>{t('code_import.notes')}</h3>
          <Faults faults={checked.notes} told="code_import.change" />
        </section>
      )}
      {checked.preview.length > 0 && (
        <section>
          <h3>{t('common.preview')}</h3>
          <Table
            size="small"
            rowKey="row"
            dataSource={checked.preview}
            pagination={false}
            scroll={{ x: 640, y: '30vh' }}
            columns={[
              { key: 'row', dataIndex: 'row', title: t('code_import.row'), width: 66, align: 'right' },
              {
                key: 'file_name',
                title: t('code_import.field.file_name'),
                width: 130,
                ellipsis: true,
                render: (_, { file_name }) => file_name || <span className="lc-soft">{t('code_import.generated')}</span>,
              },
              { key: 'name', dataIndex: 'name', title: t('code_import.field.name'), width: 160, ellipsis: true },
              {
                key: 'targets',
                title: t('code_import.field.targets'),
                ellipsis: true,
                render: (_, { targets }) => <Targets targets={targets} />,
              },
              { key: 'group', dataIndex: 'group', title: t('code_import.field.group'), width: 110, ellipsis: true },
            ]}
          />
        </section>
      )}
    </div>
  );
}

/** Where a code would lead; what is no link is marked. */
function Targets({ targets }: { targets: Checked['preview'][number]['targets'] }) {
  const { t } = useTranslation();
  return targets.map(({ kind, content }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: targets of a row have no identity but their place.
    <span key={place}>
      {place > 0 && ' · '}
      {kind !== 'url' && <Tag>{t(`qr_code_list.target_kind.${kind}`)}</Tag>}
      {content}
    </span>
  ));
}

function Faults({ faults, told }: { faults: readonly RowFault[]; told: 'code_import.problem' | 'code_import.change' }) {
  const { t } = useTranslation();
  const columnName = useColumnName();
  const isPhone = useIsPhone();
  const problem = ({ code, params, value }: RowFault) => (
    <>
      {fieldErrorText(code, params)}
      {isPhone && value !== '' && <div className="lc-soft lc-import-value">{value}</div>}
    </>
  );
  return (
    <Table
      size="small"
      rowKey={({ row, column, code }) => `${row} ${column} ${code}`}
      dataSource={faults}
      pagination={faults.length > 50 ? { pageSize: 50, showSizeChanger: false } : false}
      scroll={isPhone ? { y: '40vh' } : { x: 560, y: '26vh' }}
      columns={[
        { key: 'row', dataIndex: 'row', title: t('code_import.row'), width: 66, align: 'right' },
        {
          key: 'column',
          title: t('code_import.column'),
          width: isPhone ? 96 : 130,
          ellipsis: true,
          render: (_, { column }) => columnName(column),
        },
        { key: 'code', title: t(told), width: isPhone ? undefined : 220, render: (_, fault) => problem(fault) },
        ...(isPhone ? [] : [{ key: 'value', dataIndex: 'value', title: t('common.field.content'), ellipsis: true }]),
      ]}
    />
  );
}
