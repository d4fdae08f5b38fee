import { type ImageConfig, remoteUploadTypes, uploadTypes } from '../../../contract/system/image-config.ts';
import { bytesText } from '../../kit/bytes.ts';
import { api } from '../../kit/calls/api.ts';
import type { CrudField } from '../../kit/crud/useCrud.tsx';
import { Copyable } from '../../kit/feedback.ts';
import type { Filter } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { StorageName, StorageType, TestResult, typeLabel } from './StorageCells.tsx';

const typeOptions = uploadTypes.map((value) => ({ value, label: typeLabel(value) }));

export const columns = columnsOf(api.image_config.inquire, [
  { key: 'name', kind: 'name', width: 200, render: (row) => <StorageName row={row} /> },
  {
    key: 'upload_type',
    width: 120,
    card: 'field',
    exportValue: (row) => typeLabel(row.upload_type),
    render: (row) => <StorageType type={row.upload_type} />,
  },
  { key: 'enabled', kind: 'enabled', width: 90 },
  {
    key: 'bucket',
    width: 170,
    card: 'field',
    render: (row) => (row.bucket ? <Copyable value={row.bucket} code /> : <span className="lc-soft">–</span>),
  },
  { key: 'file_count', kind: 'number', width: 90 },
  {
    key: 'file_bytes',
    align: 'right',
    width: 110,
    render: (row) => <span className="lc-num">{bytesText(row.file_bytes)}</span>,
  },
  {
    key: 'tested_at',
    title: 'image_config.tested',
    width: 175,
    card: 'field',
    exportValue: (row) => row.test_error ?? row.tested_at,
    render: (row) => <TestResult row={row} />,
  },
  { key: 'domain', width: 230, render: (row) => (row.domain ? <Copyable value={row.domain} /> : null) },
  { key: 'endpoint', width: 260, hiddenByDefault: true, render: (row) => (row.endpoint ? <Copyable value={row.endpoint} /> : null) },
  { key: 'region', width: 130, hiddenByDefault: true },
  { key: 'save_path', width: 150, hiddenByDefault: true },
  { key: 'updated_at', kind: 'time' },
]);

export const filters: Filter<'search' | 'upload_type' | 'enabled'>[] = [
  { kind: 'text', key: 'search', label: 'image_config.search', placeholder: 'image_config.search' },
  { kind: 'select', key: 'upload_type', label: 'image_config.upload_type', options: typeOptions },
  { kind: 'boolean', key: 'enabled', label: 'common.field.enabled', yes: 'common.enabled', no: 'common.disabled' },
];

const nameField: CrudField = { kind: 'text', name: 'name' };

/** The dialog's fields. The kind is chosen once; the local disk has nothing to set but its name. */
export function storageFields(edited: ImageConfig | undefined): CrudField[] {
  if (edited?.upload_type === 'local') return [nameField];
  const isOss = (values: Record<string, unknown>) => (edited?.upload_type ?? values.upload_type) === 'oss';
  const kind: CrudField = {
    kind: 'radio',
    name: 'upload_type',
    options: remoteUploadTypes.map((value) => ({ value, label: typeLabel(value), help: `${typeLabel(value)}_help` })),
  };
  return [
    ...(edited ? [] : [kind]),
    nameField,
    {
      kind: 'text',
      name: 'bucket',
      code: true,
      ...(edited && edited.file_count > 0 ? { help: 'image_config.bucket_fixed' } : {}),
    },
    { kind: 'text', name: 'region', help: 'image_config.region_help', code: true },
    {
      kind: 'text',
      name: 'endpoint',
      help: 'image_config.endpoint_help',
      placeholder: 'https://s3.example.com',
      code: true,
    },
    { kind: 'text', name: 'access_key_id', code: true },
    {
      kind: 'password',
      name: 'access_key_secret',
      ...(edited ? { help: 'image_config.secret_kept', placeholder: 'image_config.secret_unchanged', required: false } : {}),
    },
    {
      kind: 'text',
      name: 'save_path',
      help: 'image_config.save_path_help',
      placeholder: 'pictures/2026',
      code: true,
    },
    {
      kind: 'text',
      name: 'domain',
      help: 'image_config.domain_help',
      placeholder: 'https://cdn.example.com',
      code: true,
    },
    {
      kind: 'switch',
      name: 'path_style',
      help: 'image_config.path_style_help',
      visible: (values) => !isOss(values),
    },
  ];
}
