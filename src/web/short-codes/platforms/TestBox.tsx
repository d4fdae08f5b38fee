import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PlatformTest } from '../../../contract/links/url-key-platform.ts';
import { api } from '../../kit/calls/api.ts';
import { Copyable } from '../../kit/feedback.ts';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { headerLines, TestRun, Trace, type TracePart } from '../../kit/form/TestRun.tsx';
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
    <section className="lc-platform-test" aria-label={t('url_key_platform.test')}>
      <h4>{t('url_key_platform.test')}</h4>
      <PlatformTestRun subject={() => ({ ...(id === undefined ? {} : { id }), ...typed() })} onFaults={showFaults} />
    </section>
  );
}

type Props = { subject: () => object; onFaults?: (faults: ReadonlyMap<string, string>) => void };

/** Asks for a link of an address that one types. */
export function PlatformTestRun({ subject, onFaults }: Props) {
  return (
    <TestRun action={api.url_key_platform.test} subject={subject} label="url_key_platform.test_url" sample={sample} onFaults={onFaults}>
      {(result) => <TestResult result={result} />}
    </TestRun>
  );
}

function TestResult({ result: { link, error, request, answer, read } }: { result: PlatformTest }) {
  const { t } = useTranslation();
  const parts: TracePart[] = [];
  if (request)
    parts.push({
      key: 'request',
      label: t('url_key_platform.request'),
      text: [`${request.method} ${request.url}`, headerLines(request.headers), '', request.body ?? ''].join('\n').trim(),
    });
  if (answer)
    parts.push({
      key: 'answer',
      label: t('url_key_platform.answer', { status: answer.status, milliseconds: answer.milliseconds }),
      text: `${headerLines(answer.headers)}\n\n${answer.body}${answer.is_cut ? ' …' : ''}`.trim(),
    });
  if (read !== null) parts.push({ key: 'read', label: t('url_key_platform.what_was_read'), text: read });
  return (
    <>
      {link === null ? (
        <Alert type="error" showIcon title={t('url_key_platform.test_failed')} description={error} />
      ) : (
        <Alert type="success" showIcon title={t('url_key_platform.test_passed')} description={<Copyable value={link} code />} />
      )}
      <Trace parts={parts} isOpen={link === null} />
    </>
  );
}
