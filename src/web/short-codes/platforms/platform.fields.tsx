import { domainType } from '../../../contract/enums.ts';
import {
  bodyKinds,
  encodings,
  type PlatformConfig,
  type PlatformType,
  platformConfig,
  platformTypes,
  readingKinds,
  requestMethods,
} from '../../../contract/links/platform-config.ts';
import type { Platform } from '../../../contract/links/url-key-platform.ts';
import { api } from '../../kit/calls/api.ts';
import type { FieldData } from '../../kit/dialogs/FormModal.tsx';
import type { ControlProps } from '../../kit/form/controls.tsx';
import { HeaderLines } from '../../kit/form/HeaderLines.tsx';
import { hostOption } from '../../kit/host.ts';
import { type Option, remoteOptions } from '../../kit/options.ts';
import { PagePicture } from './PagePicture.tsx';

type Values = Record<string, unknown>;
export type ConfigValues = Values & { type: PlatformType };

export const typeLabel = (type: PlatformType): string => `url_key_platform.type_${type}`;
export const typeOptions: Option[] = platformTypes.map((type) => ({
  value: type,
  label: typeLabel(type),
  help: `${typeLabel(type)}_help`,
}));

const poolDomains = remoteOptions(
  api.domain_list.inquire,
  (search) => ({ type: domainType.short, pool: true, page_size: 50, ...(search ? { host: search } : {}) }),
  hostOption,
);

const choices = (name: string, values: readonly string[]): Option[] =>
  values.map((value) => ({ value, label: `url_key_platform.${name}_${value}` }));
const at = (name: string): readonly string[] => ['config', name];
const configOf = (values: Values): ConfigValues => values.config as ConfigValues;
const readingOf = (values: Values): Values => (configOf(values).read ?? {}) as Values;

const reading: FieldData[] = [
  { kind: 'radio', name: ['config', 'read', 'kind'], label: 'url_key_platform.read', options: choices('read', readingKinds) },
  {
    kind: 'text',
    name: ['config', 'read', 'path'],
    label: 'url_key_platform.path',
    help: 'url_key_platform.path_help',
    placeholder: '$.data.url',
    code: true,
    required: true,
    visible: (values) => readingOf(values).kind === 'json' || readingOf(values).kind === 'regex',
  },
  {
    kind: 'text',
    name: ['config', 'read', 'prefix'],
    label: 'url_key_platform.read_prefix',
    help: 'url_key_platform.read_prefix_help',
    placeholder: 'https://',
    code: true,
    visible: (values) => readingOf(values).kind !== 'location',
  },
];
const timeout: FieldData = {
  kind: 'number',
  name: at('timeout_seconds'),
  label: 'url_key_platform.timeout',
  placeholder: '10',
  minimum: 1,
  maximum: 30,
  suffix: 'url_key_platform.seconds',
};
const headers: FieldData = {
  kind: 'custom',
  name: at('headers'),
  label: 'url_key_platform.headers',
  help: 'url_key_platform.headers_help',
  render: (props) => <HeaderLines {...(props as ControlProps<{ name: string; value: string }[]>)} />,
};
const address = (label: string, help: string, placeholder: string): FieldData => ({
  kind: 'text',
  name: at('url'),
  label,
  help,
  placeholder,
  code: true,
  required: true,
});
const request: FieldData[] = [
  {
    kind: 'radio',
    name: at('method'),
    label: 'url_key_platform.method',
    options: requestMethods.map((value) => ({ value, label: value })),
  },
  address('common.field.endpoint', 'url_key_platform.endpoint_help', 'https://api.example.com/links'),
  headers,
  {
    kind: 'radio',
    name: at('body_kind'),
    label: 'url_key_platform.body_kind',
    options: choices('body', bodyKinds),
    visible: (values) => configOf(values).method !== 'GET',
  },
  {
    kind: 'textarea',
    name: at('body'),
    label: 'url_key_platform.body',
    help: 'url_key_platform.body_help',
    placeholder: '{"url":"{url}"}',
    rows: 3,
    code: true,
    visible: (values) => configOf(values).method !== 'GET' && configOf(values).body_kind !== 'none',
  },
  ...reading,
  timeout,
];
const domain = (isRequired = false): FieldData => ({
  kind: 'remote',
  name: at('domain_id'),
  label: 'common.field.short_domain',
  help: isRequired ? 'url_key_platform.tunnel_domain_help' : 'url_key_platform.domain_help',
  ...(isRequired ? { required: true } : { placeholder: 'url_key_platform.domain_any' }),
  source: poolDomains,
});
const length: FieldData = {
  kind: 'number',
  name: at('length'),
  label: 'url_key_platform.length',
  placeholder: '6',
  minimum: 4,
  maximum: 16,
};
const posted: FieldData = {
  kind: 'textarea',
  name: at('text'),
  label: 'url_key_platform.text',
  help: 'url_key_platform.text_help',
  rows: 2,
  required: true,
};
const encoding: FieldData = {
  kind: 'radio',
  name: at('encoding'),
  label: 'url_key_platform.encoding',
  options: choices('encoding', encodings),
};
const key: FieldData = { kind: 'password', name: 'key', label: 'url_key_platform.key', help: 'url_key_platform.key_help' };

const lookUp: FieldData[] = [
  address('url_key_platform.page', 'url_key_platform.page_help', 'https://show.example.com/?link={url}'),
  encoding,
  { kind: 'switch', name: at('checked'), label: 'url_key_platform.checked', help: 'url_key_platform.checked_help' },
  timeout,
];

const links = [...request, key];
const shares = [posted, ...request, key];

/** The fields of each type, in the order in which one thinks of them. */
const typeFields: Record<PlatformType, FieldData[]> = {
  1: [
    address('url_key_platform.get_url', 'url_key_platform.get_url_help', 'https://api.example.com/?url={url}&key={key}'),
    headers,
    ...reading,
    timeout,
    key,
  ],
  2: [
    {
      kind: 'text',
      name: at('prefix'),
      label: 'url_key_platform.prefix',
      placeholder: 'https://jump.example.com/?u=',
      code: true,
      required: true,
    },
    encoding,
    { kind: 'text', name: at('suffix'), label: 'url_key_platform.suffix', code: true },
  ],
  3: [domain(), length],
  11: [domain(), length],
  4: links,
  5: links,
  6: [
    {
      kind: 'text',
      name: at('base_url'),
      label: 'url_key_platform.base_url',
      help: 'url_key_platform.base_url_help',
      placeholder: 'https://abc.tunnel.example',
      code: true,
      required: true,
    },
    domain(true),
    length,
    timeout,
  ],
  7: lookUp,
  8: lookUp,
  9: shares,
  10: shares,
  12: [posted, ...request, key, domain(), length],
  13: [
    domain(),
    { kind: 'number', name: at('label_length'), label: 'url_key_platform.label_length', placeholder: '6', minimum: 4, maximum: 20 },
    length,
    { kind: 'switch', name: at('each_visit'), label: 'url_key_platform.each_visit', help: 'url_key_platform.each_visit_help' },
  ],
  14: [
    {
      kind: 'text',
      name: at('template'),
      label: 'url_key_platform.template',
      help: 'url_key_platform.template_help',
      placeholder: 'https://****.example.com/?u={url}',
      code: true,
      required: true,
    },
    {
      kind: 'radio',
      name: at('characters'),
      label: 'url_key_platform.characters',
      options: choices('characters', ['letters', 'digits', 'both']),
    },
  ],
  15: [
    { kind: 'text', name: at('title'), label: 'url_key_platform.page_title', required: true },
    { kind: 'textarea', name: at('text'), label: 'url_key_platform.page_text', help: 'url_key_platform.page_text_help', rows: 4 },
    {
      kind: 'custom',
      name: at('picture_id'),
      label: 'common.field.picture',
      render: (props) => <PagePicture {...(props as ControlProps<number | null>)} />,
    },
    domain(),
    length,
  ],
};

/** The form's fields below type and name. An edited platform keeps its key unless another is typed. */
export function fieldsOf(type: PlatformType, edited: Platform | undefined): FieldData[] {
  return typeFields[type].map((field) =>
    field.name === 'key' && edited?.has_key
      ? { ...key, help: 'url_key_platform.key_kept', placeholder: 'url_key_platform.key_unchanged' }
      : field,
  );
}

const shapes = new Map(platformConfig.options.map((option) => [option.shape.type.value as PlatformType, Object.keys(option.shape)]));
const isEmpty = (value: unknown): boolean => value === '' || value === undefined || (Array.isArray(value) && value.length === 0);

/** What the form holds, as the contract wants it: the fields of this type only, without empty ones. */
export function configInput(values: Values): PlatformConfig {
  const config = configOf(values);
  const wanted = (shapes.get(config.type) ?? []).filter(
    (name) => !isEmpty(config[name]) && !(config[name] === null && name !== 'domain_id' && name !== 'picture_id'),
  );
  const input = Object.fromEntries(wanted.map((name) => [name, config[name]]));
  const read = input.read as Values | undefined;
  if (read) input.read = Object.fromEntries(Object.entries(read).filter(([, value]) => !isEmpty(value) && value !== null));
  // The contract judges what was put together here; the compiler cannot.
  return input as PlatformConfig;
}
