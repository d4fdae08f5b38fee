import { Alert, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { isSnippetId, snippetOriginPattern } from '../../contract/links/js-config.providers.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import { useDebounced } from '../kit/useDebounced.ts';
import { contentOf } from './snippet.fields.ts';

type Content = ReturnType<typeof contentOf>;

/** What can be asked about already: half an id or origin would only be answered with its fault. */
const isWhole = ({ provider, provider_id = '', code = '', origins = [] }: Content): boolean =>
  provider === 'code'
    ? code.trim() !== '' && origins.every((origin) => snippetOriginPattern.test(origin))
    : isSnippetId(provider, provider_id);

/** What is wrong about a snippet as far as it can be seen without running it, and what pages are allowed because of it. */
export function SnippetReport({ content }: { content: Content }) {
  const { t } = useTranslation();
  const { data } = useCall(api.js_config.check, content, { enabled: isWhole(content) });
  if (!isWhole(content) || !data) return null;
  const { fault, missing_origins, writes_document, policy } = data;
  return (
    <div className="lc-snippet-report">
      {fault && (
        <Alert
          type="error"
          showIcon
          title={fault.line === null ? t('js_config.fault') : t('js_config.fault_at', { line: fault.line })}
          description={<code>{fault.message}</code>}
        />
      )}
      {missing_origins.length > 0 && (
        <Alert type="warning" showIcon title={t('js_config.missing_origins')} description={<code>{missing_origins.join('\n')}</code>} />
      )}
      {writes_document && <Alert type="warning" showIcon title={t('js_config.writes_document')} />}
      <div>
        <p className="lc-soft">{t('js_config.policy')}</p>
        <pre className="lc-snippet-code lc-code">{policy.join('\n')}</pre>
      </div>
    </div>
  );
}

/** The report about what the form holds at this moment. */
export function SnippetPreview() {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const values = Form.useWatch([], { form, preserve: true }) as Record<string, unknown> | undefined;
  const content = useDebounced(JSON.stringify(contentOf({ provider: 'code', ...values })), 400);
  return (
    <>
      <Alert type="info" title={t('js_config.where_it_runs')} />
      <SnippetReport content={JSON.parse(content) as Content} />
    </>
  );
}
