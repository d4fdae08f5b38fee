import { type ImageConfig, remoteUploadTypes, uploadTypes } from '../../../contract/system/image-config.ts';
import { bytesText } from '../../kit/bytes.ts';
import type { FieldData } from '../../kit/dialogs/FormModal.tsx';
import { Copyable, Num, Status, Time } from '../../kit/feedback.ts';
import type { Column, Filter } from '../../kit/ListPage.tsx';
import { StorageName, StorageType, TestResult, typeLabel } from './StorageCells.tsx';

const typeOptions = uploadTypes.map((value) => ({ value, label: typeLabel(value) }));

export const columns: Column<ImageConfig>[] = [
  {
    key: 'name',
    title: 'image_config.name',
    sortable: true,
    width: 200,
    card: 'title',
    render: (row) => <StorageName row={row} />,
  },
  {
    key: 'upload_type',
    title: 'image_config.upload_type',
    sortable: true,
    width: 120,
    card: 'field',
    exportValue: (row) => typeLabel(row.upload_type),
    render: (row) => <StorageType type={row.upload_type} />,
  },
  {
    key: 'enabled',
    title: 'image_config.enabled',
    width: 90,
    card: 'aside',
    exportValue: (row) => (row.enabled ? 'common.enabled' : 'common.disabled'),
    render: (row) => <Status kind={row.enabled ? 'success' : 'neutral'} label={row.enabled ? 'common.enabled' : 'common.disabled'} />,
  },
  {
    key: 'bucket',
    title: 'image_config.bucket',
    width: 170,
    card: 'field',
    render: (row) => (row.bucket ? <Copyable value={row.bucket} code /> : <span className="lc-soft">–</span>),
  },
  {
    key: 'file_count',
    title: 'image_config.file_count',
    sortable: true,
    align: 'right',
    width: 90,
    card: 'field',
    render: (row) => <Num value={row.file_count} />,
  },
  {
    key: 'file_bytes',
    title: 'image_config.file_bytes',
    sortable: true,
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
  {
    key: 'domain',
    title: 'image_config.domain',
    width: 230,
    render: (row) => (row.domain ? <Copyable value={row.domain} /> : null),
  },
  {
    key: 'endpoint',
    title: 'image_config.endpoint',
    width: 260,
    hiddenByDefault: true,
    render: (row) => (row.endpoint ? <Copyable value={row.endpoint} /> : null),
  },
  { key: 'region', title: 'image_config.region', width: 130, hiddenByDefault: true },
  { key: 'save_path', title: 'image_config.save_path', width: 150, hiddenByDefault: true },
  { key: 'updated_at', title: 'image_config.updated_at', sortable: true, width: 150, render: (row) => <Time value={row.updated_at} /> },
];

export const filters: Filter<'search' | 'upload_type' | 'enabled'>[] = [
  { kind: 'text', key: 'search', label: 'image_config.search', placeholder: 'image_config.search' },
  { kind: 'select', key: 'upload_type', label: 'image_config.upload_type', options: typeOptions },
  { kind: 'boolean', key: 'enabled', label: 'image_config.enabled', yes: 'common.enabled', no: 'common.disabled' },
];

const nameField: FieldData = { kind: 'text', name: 'name', label: 'image_config.name' };

/** The dialog's fields. The kind is chosen once; the local disk has nothing to set but its name. */
export function storageFields(edited?: ImageConfig): FieldData[] {
  if (edited?.upload_type === 'local') return [nameField];
  const isOss = (values: Record<string, unknown>) => (edited?.upload_type ?? values.upload_type) === 'oss';
  const kind: FieldData = {
    kind: 'radio',
    name: 'upload_type',
    label: 'image_config.upload_type',
    options: remoteUploadTypes.map((value) => ({ value, label: typeLabel(value), help: `${typeLabel(value)}_help` })),
  };
  return [
    ...(edited ? [] : [kind]),
    nameField,
    {
      kind: 'text',
      name: 'bucket',
      label: 'image_config.bucket',
      code: true,
      ...(edited && edited.file_count > 0 ? { help: 'image_config.bucket_fixed' } : {}),
    },
    { kind: 'text', name: 'region', label: 'image_config.region', help: 'image_config.region_help', code: true },
    {
      kind: 'text',
      name: 'endpoint',
      label: 'image_config.endpoint',
      help: 'image_config.endpoint_help',
      placeholder: 'https://s3.example.com',
      code: true,
    },
    { kind: 'text', name: 'access_key_id', label: 'image_config.access_key_id', code: true },
    {
      kind: 'password',
      name: 'access_key_secret',
      label: 'image_config.access_key_secret',
      ...(edited ? { help: 'image_config.secret_kept', placeholder: 'image_config.secret_unchanged', required: false } : {}),
    },
    {
      kind: 'text',
      name: 'save_path',
      label: 'image_config.save_path',
      help: 'image_config.save_path_help',
      placeholder: 'pictures/2026',
      code: true,
    },
    {
      kind: 'text',
      name: 'domain',
      label: 'image_config.domain',
      help: 'image_config.domain_help',
      placeholder: 'https://cdn.example.com',
      code: true,
    },
    {
      kind: 'switch',
      name: 'path_style',
      label: 'image_config.path_style',
      help: 'image_config.path_style_help',
      visible: (values) => !isOss(values),
    },
  ];
}
