import { SafetyOutlined } from '@ant-design/icons';
import { Button, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { maxCheckedUrls } from '../../../contract/detection/wx-shield-detection.ts';
import { api } from '../../kit/calls/api.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { ContractForm, Field, useContractForm } from '../../kit/dialogs/FormModal.tsx';
import { readLines } from './lines.ts';

/** More numbers of lines are hinted at. */
const maxNumbers = 8;

/** Pasted addresses that are checked at once. Lines that hold none stay where they are, to be corrected. */
export function CheckForm({ onStarted }: { onStarted: (check_id: number) => void }) {
  const { t } = useTranslation();
  const form = useContractForm(api.wx_shield_detection.check, {
    // No line at all is a field that wasn't filled in.
    toInput(values) {
      const { lines } = readLines(values.lines);
      return { lines: lines.length > 0 ? lines.map(({ text }) => text) : null };
    },
    isQuery: true,
    success: false,
    onDone({ check, refused }) {
      form.form.setFieldValue('lines', refused.map(({ line }) => line).join('\n'));
      if (refused.length > 0)
        form.showFaults(new Map([['lines', t('wx_shield_detection.refused', { number: refused.length, count: refused.length })]]));
      if (check) onStarted(check.id);
    },
  });
  return (
    <div className="lc-panel lc-check-form">
      <ContractForm form={form}>
        <Field
          kind="textarea"
          name="lines"
          label="wx_shield_detection.lines"
          help={t('wx_shield_detection.lines_help', { maximum: maxCheckedUrls })}
          placeholder="https://example.com/"
          rows={4}
          code
          required
        />
        <div className="lc-check-submit">
          <Allowed node="wx_shield_detection.check">
            <Button type="primary" icon={<SafetyOutlined />} loading={form.isRunning} onClick={() => void form.submit()}>
              {t('wx_shield_detection.start')}
            </Button>
          </Allowed>
          <Form.Item noStyle shouldUpdate>
            {({ getFieldValue }) => <Counted typed={getFieldValue('lines')} />}
          </Form.Item>
        </div>
      </ContractForm>
    </div>
  );
}

/** How many addresses stand there, and which lines repeat another. */
function Counted({ typed }: { typed: unknown }) {
  const { t } = useTranslation();
  const { lines, repeated } = readLines(typed);
  if (lines.length === 0) return null;
  const numbers = repeated.slice(0, maxNumbers).join(t('common.comma'));
  return (
    <span className="lc-soft" role="status">
      {t('wx_shield_detection.counted', { number: lines.length, count: lines.length })}
      {repeated.length > 0 &&
        ` · ${t('wx_shield_detection.repeated', { numbers: repeated.length > maxNumbers ? `${numbers}…` : numbers })}`}
    </span>
  );
}
