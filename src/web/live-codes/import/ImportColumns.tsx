import { Form, Radio, Select, Table } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  type ImportFile,
  type ImportPlan,
  importFields,
  keyPolicies,
  maximumTargetColumns,
  oddKeyPolicies,
  targetColumnParts,
} from '../../../contract/codes/code-import.ts';

type Props = { file: ImportFile; plan: ImportPlan; change: (part: Partial<ImportPlan>) => void };

/** The fields that columns can hold, in words; of numbered targets only a few more than the file seems to have. */
function useColumnOptions(columns: ImportPlan['columns']) {
  const { t } = useTranslation();
  const used = Math.max(...columns.map((column) => Number(/^target_(\d+)/.exec(column ?? '')?.[1] ?? 0)));
  const targets = Array.from({ length: Math.min(maximumTargetColumns, Math.max(used, columns.length > 4 ? 3 : 1) + 1) }, (_, at) => at + 1);
  return [
    ...importFields.map((field) => ({ value: field as string, label: t(`code_import.field.${field}`) })),
    ...targets.flatMap((number) => [
      { value: `target_${number}`, label: t('code_import.target', { number }) },
      ...targetColumnParts.map((part) => ({ value: `target_${number}_${part}`, label: t(`code_import.target_${part}`, { number }) })),
    ]),
  ];
}

/** What each column holds, with its first values beside it, and what becomes of keys that can't be had. */
export function ImportColumns({ file, plan, change }: Props) {
  const { t } = useTranslation();
  const options = useColumnOptions(plan.columns);
  const rows = file.header.map((heading, at) => ({
    at,
    heading: heading || `#${at + 1}`,
    sample: file.sample
      .flatMap((row) => row[at] || [])
      .slice(0, 3)
      .join(' · '),
  }));
  const set = (at: number, value: string | null) =>
    // A field is in one column only: chosen anew, it leaves the other.
    change({ columns: plan.columns.map((column, place) => (place === at ? value : column === value ? null : column)) });
  const choices = (values: readonly string[], prefix: string) =>
    values.map((value) => ({ value, label: t(`code_import.${prefix}.${value}`) }));
  return (
    <>
      <Table
        size="small"
        rowKey="at"
        dataSource={rows}
        pagination={false}
        scroll={{ y: '38vh' }}
        columns={[
          { key: 'heading', dataIndex: 'heading', title: t('code_import.column'), width: '26%', ellipsis: true },
          {
            key: 'holds',
            title: t('code_import.holds'),
            width: '34%',
            render: (_, { at, heading }) => (
              <Select
                className="lc-wide"
                showSearch={{ optionFilterProp: 'label' }}
                allowClear
                aria-label={`${t('code_import.holds')}: ${heading}`}
                placeholder={t('code_import.ignored')}
                value={plan.columns[at] ?? undefined}
                options={options}
                onChange={(value: string | undefined) => set(at, value ?? null)}
              />
            ),
          },
          { key: 'sample', dataIndex: 'sample', title: t('code_import.sample'), ellipsis: true },
        ]}
      />
      <Form layout="vertical" className="import-policies">
        <Form.Item label={t('code_import.existing')}>
          <Radio.Group
            value={plan.existing}
            options={choices(keyPolicies, 'existing_policy')}
            onChange={(event) => change({ existing: event.target.value })}
          />
        </Form.Item>
        <Form.Item label={t('code_import.odd_keys')}>
          <Radio.Group
            value={plan.odd_keys}
            options={choices(oddKeyPolicies, 'odd_policy')}
            onChange={(event) => change({ odd_keys: event.target.value })}
          />
        </Form.Item>
      </Form>
    </>
  );
}
