import { type SnippetPreset, type SnippetProvider, snippetPresets, snippetProviders } from '../../contract/links/js-config.providers.ts';
import type { Snippet } from '../../contract/links/js-config.ts';
import type { FieldData } from '../kit/dialogs/FormModal.tsx';

type Values = Record<string, unknown>;

const isCode = ({ provider }: Values): boolean => provider === 'code';
const presets = snippetProviders.filter((provider): provider is SnippetPreset => provider !== 'code');

const idField = (provider: SnippetPreset): FieldData => ({
  kind: 'text',
  name: 'provider_id',
  label: 'js_config.provider_id',
  help: provider === 'umami' ? 'js_config.umami_help' : 'js_config.provider_id_help',
  placeholder: snippetPresets[provider].example,
  code: true,
  required: true,
  visible: (values) => values.provider === provider,
});

export const snippetFields: FieldData[] = [
  { kind: 'text', name: 'name', label: 'js_config.name' },
  {
    kind: 'select',
    name: 'provider',
    label: 'js_config.provider',
    options: snippetProviders.map((value) => ({ value, label: value === 'code' ? 'js_config.own_code' : snippetPresets[value].name })),
  },
  // One field a service, so that each shows an id as that service gives it.
  ...presets.map(idField),
  {
    kind: 'textarea',
    name: 'code',
    label: 'js_config.code',
    help: 'js_config.code_help',
    rows: 10,
    code: true,
    required: true,
    visible: isCode,
  },
  {
    kind: 'textarea',
    name: 'origins',
    label: 'js_config.origins',
    help: 'js_config.origins_help',
    placeholder: 'https://cdn.example.com',
    rows: 3,
    code: true,
    visible: isCode,
  },
  { kind: 'switch', name: 'all_codes', label: 'js_config.on_all_codes', help: 'js_config.on_all_codes_help' },
  { kind: 'switch', name: 'enabled', label: 'js_config.enabled' },
];

export const initialOf = (snippet: Snippet | null): Values =>
  snippet
    ? {
        name: snippet.name,
        provider: snippet.provider,
        provider_id: snippet.provider_id,
        code: snippet.code,
        origins: snippet.origins.join('\n'),
        all_codes: snippet.all_codes,
        enabled: snippet.enabled,
      }
    : { provider: 'baidu', enabled: true, all_codes: false };

export const originLines = (value: unknown): string[] =>
  String(value ?? '')
    .split(/[\s,;，；]+/)
    .filter((line) => line !== '');

/** What of the form says which code runs: a preset's id, or code with its origins. */
export function contentOf(values: Values): { provider: SnippetProvider; provider_id?: string; code?: string; origins?: string[] } {
  const provider = values.provider as SnippetProvider;
  if (provider === 'code') return { provider, code: String(values.code ?? ''), origins: originLines(values.origins) };
  return { provider, provider_id: String(values.provider_id ?? '').trim() };
}

export function toSnippetInput(values: Values): Values {
  const { provider: _provider, provider_id: _id, code: _code, origins: _origins, ...settings } = values;
  return { ...settings, ...contentOf(values) };
}
