import { ApiOutlined } from '@ant-design/icons';
import { Alert, Button, Collapse, Input, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlatformTest } from '../../../contract/url-key-platform.ts';
import { api } from '../../kit/api.ts';
import { Copyable } from '../../kit/feedback.ts';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { useAction } from '../../kit/query.ts';
import { configInput } from './platform.fields.tsx';
import '../short-codes.css';

const sample = 'https://example.com/?from=livecode';

/** Tries out what stands in the form around it. */
export function TestBox({ id }: { id?: number | undefined }) {
  const { form } = useFormContext();
  const typed = () => {
    const values = form.getFieldsValue(true) as Record<string, unknown>;
    return { config: configInput(values), ...(typeof values.key === 'string' && values.key !== '' ? { key: values.key } : {}) };
  };
  return <TestRun subject={() => ({ ...(id === undefined ? {} : { id }), ...typed() })} />;
}

type Subject = { id?: number } & Partial<Parameters<typeof api.url_key_platform.test>[0]>;

/** Asks for a link of an address that one types, and shows all that came of it. */
export function TestRun({ subject }: { subject: () => Subject }) {
  const { t } = useTranslation();
  const [url, setUrl] = useState(sample);
  const [result, setResult] = useState<PlatformTest | null>(null);
  const test = useAction(api.url_key_platform.test, { success: false });

  async function run() {
    setResult(null);
    setResult((await test.run({ ...subject(), url })) ?? null);
  }
  return (
    <section className="platform-test" aria-label={t('url_key_platform.test')}>
      <h4>{t('url_key_platform.test')}</h4>
      <Space.Compact className="lc-wide">
        <Input
          className="lc-code"
          aria-label={t('url_key_platform.test_url')}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Button icon={<ApiOutlined />} loading={test.isRunning} onClick={() => void run()}>
          {t('url_key_platform.test_run')}
        </Button>
      </Space.Compact>
      <div role="status">{result && <TestResult result={result} />}</div>
    </section>
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
