import { Select } from 'antd';
import { type DetectorConfig, type DetectorKind, detectorKinds, type Reading } from '../../../contract/detection/detectors.ts';
import type { FieldData } from '../../kit/dialogs/FormModal.tsx';
import type { ControlProps } from '../../kit/form/controls.tsx';
import { HeaderLines } from '../../kit/form/HeaderLines.tsx';
import type { Option } from '../../kit/options.ts';

type Values = Record<string, unknown>;

export const kindLabel = (kind: DetectorKind): string => `we_chat_blocking_detection_configuration.kind.${kind}`;
export const kindOptions: Option[] = detectorKinds.map((kind) => ({
  value: kind,
  label: kindLabel(kind),
  help: `${kindLabel(kind)}_help`,
}));

const starts: { [K in DetectorKind]: Extract<DetectorConfig, { kind: K }> } = {
  gateway: { kind: 'gateway', url: '', warning_is_blocked: false },
  http_api: { kind: 'http_api', url: '', method: 'GET', headers: [], body: '', reading: { by: 'json', path: '', normal: [], blocked: [] } },
  dns: { kind: 'dns' },
  tls: { kind: 'tls', port: 443 },
  http: { kind: 'http', path: '/', statuses: '200-399' },
};
/** What the form holds of a kind at first. */
export const startOf = (kind: DetectorKind): DetectorConfig => starts[kind];

const at = (name: string): readonly string[] => ['config', name];
const readingAt = (name: string): readonly string[] => ['config', 'reading', name];
const configOf = (values: Values): Values => (values.config ?? {}) as Values;
const readingOf = (values: Values): Values => (configOf(values).reading ?? {}) as Values;

/** Values one beside the other, each ended by Enter or a comma. */
function ValueTags({ id, value, onChange, onBlur }: ControlProps<string[]>) {
  return (
    <Select
      {...(id ? { id } : {})}
      mode="tags"
      open={false}
      suffixIcon={null}
      tokenSeparators={[',', '，', '\n']}
      value={value ?? []}
      onChange={(next) => onChange?.(next)}
      onBlur={onBlur}
      className="lc-code"
    />
  );
}

const values = (name: 'normal' | 'blocked'): FieldData => ({
  kind: 'custom',
  name: readingAt(name),
  label: `we_chat_blocking_detection_configuration.${name}_values`,
  help: 'we_chat_blocking_detection_configuration.values_help',
  render: (props) => <ValueTags {...(props as ControlProps<string[]>)} />,
});

const apiFields: FieldData[] = [
  {
    kind: 'text',
    name: at('url'),
    label: 'common.field.endpoint',
    help: 'we_chat_blocking_detection_configuration.url_help',
    placeholder: 'https://api.example.com/check?key={key}&url={url}',
    code: true,
    required: true,
    wide: true,
  },
  {
    kind: 'radio',
    name: at('method'),
    label: 'we_chat_blocking_detection_configuration.method',
    options: ['GET', 'POST'].map((value) => ({ value, label: value })),
  },
  {
    kind: 'password',
    name: 'key',
    label: 'we_chat_blocking_detection_configuration.key',
    help: 'we_chat_blocking_detection_configuration.key_help',
  },
  {
    kind: 'custom',
    name: at('headers'),
    label: 'we_chat_blocking_detection_configuration.headers',
    help: 'we_chat_blocking_detection_configuration.headers_help',
    wide: true,
    render: (props) => <HeaderLines {...(props as ControlProps<{ name: string; value: string }[]>)} />,
  },
  {
    kind: 'textarea',
    name: at('body'),
    label: 'we_chat_blocking_detection_configuration.body',
    help: 'we_chat_blocking_detection_configuration.body_help',
    placeholder: '{"url":"{url}"}',
    rows: 2,
    code: true,
    visible: (form) => configOf(form).method === 'POST',
  },
  {
    kind: 'radio',
    name: readingAt('by'),
    label: 'we_chat_blocking_detection_configuration.reading',
    options: (['json', 'redirect', 'status', 'text'] satisfies Reading['by'][]).map((by) => ({
      value: by,
      label: `we_chat_blocking_detection_configuration.by.${by}`,
    })),
    wide: true,
  },
  {
    kind: 'text',
    name: readingAt('path'),
    label: 'we_chat_blocking_detection_configuration.path',
    help: 'we_chat_blocking_detection_configuration.path_help',
    placeholder: 'data.status',
    code: true,
    required: true,
    visible: (form) => readingOf(form).by === 'json',
  },
  values('normal'),
  values('blocked'),
];

const kindFields: Record<DetectorKind, FieldData[]> = {
  gateway: [
    {
      kind: 'text',
      name: at('url'),
      label: 'we_chat_blocking_detection_configuration.gateway',
      help: 'we_chat_blocking_detection_configuration.gateway_help',
      code: true,
      wide: true,
    },
    {
      kind: 'switch',
      name: at('warning_is_blocked'),
      label: 'we_chat_blocking_detection_configuration.warning_is_blocked',
      help: 'we_chat_blocking_detection_configuration.warning_help',
    },
  ],
  http_api: apiFields,
  dns: [],
  tls: [{ kind: 'number', name: at('port'), label: 'we_chat_blocking_detection_configuration.port', minimum: 1, maximum: 65_535 }],
  http: [
    { kind: 'text', name: at('path'), label: 'common.field.path', code: true },
    {
      kind: 'text',
      name: at('statuses'),
      label: 'we_chat_blocking_detection_configuration.statuses',
      help: 'we_chat_blocking_detection_configuration.statuses_help',
      code: true,
      required: true,
    },
  ],
};

/** The form's fields of a kind. An edited detector keeps its key unless another is typed. */
export const fieldsOf = (kind: DetectorKind, hasKey: boolean): FieldData[] =>
  kindFields[kind].map((field) =>
    field.name === 'key' && hasKey
      ? ({
          ...field,
          help: 'we_chat_blocking_detection_configuration.key_kept',
          placeholder: 'we_chat_blocking_detection_configuration.key_unchanged',
        } as FieldData)
      : field,
  );

/** What every kind has. */
export const commonFields: FieldData[] = [
  {
    kind: 'number',
    name: 'timeout_ms',
    label: 'we_chat_blocking_detection_configuration.timeout_ms',
    minimum: 500,
    maximum: 30_000,
    suffix: 'we_chat_blocking_detection_configuration.milliseconds',
  },
  {
    kind: 'number',
    name: 'weight',
    label: 'we_chat_blocking_detection_configuration.weight',
    help: 'we_chat_blocking_detection_configuration.weight_help',
    minimum: 1,
    maximum: 100,
  },
  {
    kind: 'number',
    name: 'per_second',
    label: 'we_chat_blocking_detection_configuration.per_second',
    placeholder: 'common.unlimited',
    minimum: 1,
    maximum: 1000,
  },
  {
    kind: 'number',
    name: 'per_day',
    label: 'we_chat_blocking_detection_configuration.per_day',
    placeholder: 'common.unlimited',
    minimum: 1,
    maximum: 10_000_000,
  },
  { kind: 'number', name: 'sort', label: 'common.field.sort', help: 'we_chat_blocking_detection_configuration.sort_help', minimum: 0 },
  { kind: 'switch', name: 'enabled', label: 'common.field.switched_on' },
];

/** What the form holds, as the contract wants it: the parts of this kind and this way of reading only. */
export function configInput(form: Values): DetectorConfig {
  const config = configOf(form);
  const kind = config.kind as DetectorKind;
  const known: Values = { ...startOf(kind) };
  const input: Values = Object.fromEntries(Object.keys(known).map((name) => [name, config[name] ?? known[name]]));
  if (kind === 'http_api') {
    const { path = '', ...others } = readingOf(form);
    input.reading = { normal: [], blocked: [], ...others, ...(others.by === 'json' ? { path } : {}) };
    if (input.method === 'GET') input.body = '';
  }
  // The contract judges what was put together here; the compiler cannot.
  return input as DetectorConfig;
}
