import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Detector, DetectorAnswer, detectors } from '../../../contract/detection/detectors.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import { api } from '../../kit/calls/api.ts';
import { FoundBy } from '../../kit/detection/Evidence.tsx';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { headerLines, TestRun, Trace } from '../../kit/form/TestRun.tsx';
import { configInput } from './detector.fields.tsx';

const { test } = api.we_chat_blocking_detection_configuration;
type Tested = OutputOf<(typeof detectors)['calls']['test']>;

const sample = 'https://example.com/';

/** Tries out what stands in the form around it; what is wrong with that is said beside the form's fields. */
export function DetectorTestBox({ id }: { id?: number | undefined }) {
  const { t } = useTranslation();
  const { form, showFaults } = useFormContext();
  function typed() {
    const values = form.getFieldsValue(true) as Record<string, unknown>;
    const { key, timeout_ms } = values;
    return {
      ...(id === undefined ? {} : { id }),
      config: configInput(values),
      ...(typeof key === 'string' && key !== '' ? { key } : {}),
      ...(typeof timeout_ms === 'number' ? { timeout_ms } : {}),
    };
  }
  return (
    <section className="lc-detector-test" aria-label={t('we_chat_blocking_detection_configuration.test')}>
      <div>
        <h4>{t('we_chat_blocking_detection_configuration.test')}</h4>
        <p className="lc-soft">{t('we_chat_blocking_detection_configuration.test_help')}</p>
        <DetectorRun subject={typed} onFaults={showFaults} />
      </div>
    </section>
  );
}

/** The same for a saved detector, as it is. */
export function DetectorTestDialog({ detector, onClose }: { detector: Detector; onClose: () => void }) {
  const { t } = useTranslation();
  const { id, name, config, timeout_ms } = detector;
  return (
    <Modal open title={t('common.test_of', { name })} footer={null} onCancel={onClose}>
      <DetectorRun subject={() => ({ id, config, timeout_ms })} />
    </Modal>
  );
}

type RunProps = { subject: () => object; onFaults?: (faults: ReadonlyMap<string, string>) => void };

function DetectorRun({ subject, onFaults }: RunProps) {
  return (
    <TestRun action={test} subject={subject} label="we_chat_blocking_detection_configuration.test_url" sample={sample} onFaults={onFaults}>
      {(result) => <TestResult result={result} />}
    </TestRun>
  );
}

const alertKinds: Record<DetectorAnswer, 'success' | 'error' | 'warning'> = {
  normal: 'success',
  blocked: 'error',
  down: 'error',
  failed: 'warning',
};

/** The verdict, what led to it, and all that was sent and came back. */
function TestResult({ result }: { result: Tested }) {
  const { t } = useTranslation();
  const { sent, answered, read, request } = result;
  const parts = [
    ...(request
      ? [
          {
            key: 'sent',
            label: t('we_chat_blocking_detection_configuration.sent'),
            text: `${request.method} ${request.url}\n${headerLines(sent.headers)}\n\n${sent.body}`.trim(),
          },
        ]
      : []),
    ...(answered.headers.length > 0 || answered.body !== ''
      ? [
          {
            key: 'answered',
            label: t('we_chat_blocking_detection_configuration.answered'),
            text: `${headerLines(answered.headers)}\n\n${answered.body}`.trim(),
          },
        ]
      : []),
  ];
  return (
    <>
      <Alert
        type={alertKinds[result.answer]}
        showIcon
        title={t('we_chat_blocking_detection_configuration.verdict', { answer: t(`domain_monitor.answer.${result.answer}`) })}
        description={read && <ReadValue read={read} />}
      />
      <div className="lc-detector-finding">
        <FoundBy finding={result} />
      </div>
      <Trace parts={parts} isOpen={result.answer === 'failed'} />
    </>
  );
}

/** What stood where the detector looks. */
function ReadValue({ read: { path, value } }: { read: NonNullable<Tested['read']> }) {
  const { t } = useTranslation();
  return (
    <>
      {t('we_chat_blocking_detection_configuration.read_at')} <code className="lc-code">{path}</code>
      {' → '}
      {value === null ? t('we_chat_blocking_detection_configuration.read_nothing') : <code className="lc-code">{value}</code>}
    </>
  );
}
