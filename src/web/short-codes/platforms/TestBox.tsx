import { ApiOutlined } from '@ant-design/icons';
import { Alert, Button, Collapse, Form, Input, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlatformTest } from '../../../contract/links/url-key-platform.ts';
import { api } from '../../kit/calls/api.ts';
import { fieldErrorText } from '../../kit/calls/failure.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Copyable } from '../../kit/feedback.ts';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { issuesOf } from '../../kit/form/contract.ts';
import { configInput } from './platform.fields.tsx';
import '../short-codes.css';

const sample = 'https://example.com/?from=livecode';

/** Tries out what stands in the form around it; what is wrong with that is said beside the form's fields. */
export function TestBox({ id }: { id?: number | undefined }) {
  const { t } = useTranslation();
  const { form, showFaults } = useFormContext();
  const typed = () => {
    const values = form.getFieldsValue(true) as Record<string, unknown>;
    return { config: configInput(values), ...(typeof values.key === 'string' && values.key !== '' ? { key: values.key } : {}) };
  };
  return (
    <section className="platform-test" aria-label={t('url_key_platform.test')}>
      <h4>{t('url_key_platform.test')}</h4>
      <TestRun subject={() => ({ ...(id === undefined ? {} : { id }), ...typed() })} onFaults={showFaults} />
    </section>
  );
}

type Subject = { id?: number } & Partial<Parameters<typeof api.url_key_platform.test>[0]>;

/** Asks for a link of an address that one types, and shows all that came of it. */
export function TestRun({ subject, onFaults }: { subject: () => Subject; onFaults?: (faults: ReadonlyMap<string, string>) => void }) {
  const { t } = useTranslation();
  const [url, setUrl] = useState(sample);
  const [result, setResult] = useState<PlatformTest | null>(null);
  const [urlFault, setUrlFault] = useState<string>();
  const test = useAction(api.url_key_platform.test, {
    success: false,
    onFailure: ({ fields }) => showFaults(Object.entries(fields).map(([path, code]) => [path, fieldErrorText(code)])),
  });

  /** True says that every fault has a place where it is shown. */
  function showFaults(faults: (readonly [path: string, words: string])[]): boolean {
    const { url: ofUrl, ...others } = Object.fromEntries(faults);
    setUrlFault(ofUrl);
    onFaults?.(new Map(Object.entries(others)));
    return faults.length > 0 && (onFaults !== undefined || Object.keys(others).length === 0);
  }

  async function run() {
    setResult(null);
    const input = { ...subject(), url };
    const issues = issuesOf(api.url_key_platform.test.call, input);
    showFaults(issues.map(({ path, code, params }) => [path, fieldErrorText(code, params)]));
    if (issues.length === 0) setResult((await test.run(input)) ?? null);
  }
  return (
    <div className="platform-run">
      <Form.Item validateStatus={urlFault ? 'error' : ''} help={urlFault}>
        <Space.Compact className="lc-wide">
          <Input
            className="lc-code"
            aria-label={t('url_key_platform.test_url')}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            onPressEnter={(event) => {
              // Enter tries out, Ctrl-Enter sends the form around.
              if (event.ctrlKey || event.metaKey) return;
              event.preventDefault();
              if (!event.nativeEvent.isComposing && !test.isRunning) void run();
            }}
          />
          <Button icon={<ApiOutlined />} loading={test.isRunning} onClick={() => void run()}>
            {t('url_key_platform.test_run')}
          </Button>
        </Space.Compact>
      </Form.Item>
      <div role="status">{result && <TestResult result={result} />}</div>
    </div>
  );
}

type Part = { key: string; label: string; text: string };

function TestResult({ result: { link, error, request, answer, read } }: { result: PlatformTest }) {
  const { t } = useTranslation();
  const lines = (headers: readonly { name: string; value: string }[]) => headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
  const parts: Part[] = [];
  if (request)
    parts.push({
      key: 'request',
      label: t('url_key_platform.request'),
      text: [`${request.method} ${request.url}`, lines(request.headers), '', request.body ?? ''].join('\n').trim(),
    });
  if (answer)
    parts.push({
      key: 'answer',
      label: t('url_key_platform.answer', { status: answer.status, milliseconds: answer.milliseconds }),
      text: `${lines(answer.headers)}\n\n${answer.body}${answer.is_cut ? ' …' : ''}`.trim(),
    });
  if (read !== null) parts.push({ key: 'read', label: t('url_key_platform.what_was_read'), text: read });
  return (
    <>
      {link === null ? (
        <Alert type="error" showIcon title={t('url_key_platform.test_failed')} description={error} />
      ) : (
        <Alert type="success" showIcon title={t('url_key_platform.test_passed')} description={<Copyable value={link} code />} />
      )}
      {parts.length > 0 && (
        <Collapse
          size="small"
          defaultActiveKey={link === null ? parts.map(({ key }) => key) : []}
          items={parts.map(({ key, label, text }) => ({ key, label, children: <pre className="lc-code platform-trace">{text}</pre> }))}
        />
      )}
    </>
  );
}
