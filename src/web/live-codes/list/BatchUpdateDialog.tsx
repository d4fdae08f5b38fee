import { Button, Checkbox, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { batchFields, initialFields } from '../../../contract/codes/live-code-fields.ts';
import { pick } from '../../../contract/kit/pick.ts';
import { api } from '../../kit/calls/api.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { ContractForm, Field, useContractForm } from '../../kit/dialogs/FormModal.tsx';
import type { Values } from '../../kit/form/contract.ts';
import type { ControlData } from '../../kit/form/controls.tsx';
import { useAskToDiscard } from '../../kit/form/dirty.tsx';
import { accessChoices, jumpChoices, restrictionChoices, rotationChoices } from '../choices.ts';
import { type CodesDialogProps, useCodesWords } from './SettingDialogs.tsx';

const controls: Record<(typeof batchFields)[number], ControlData> = {
  open: { kind: 'switch' },
  rotation_mode: { kind: 'radio', options: rotationChoices },
  jump_type: { kind: 'select', options: jumpChoices },
  access_mode: { kind: 'radio', options: accessChoices },
  restriction_visit: { kind: 'radio', options: restrictionChoices },
  open_log: { kind: 'switch' },
  fallback_url: { kind: 'text', placeholder: 'qr_code_list.batch.empties' },
  remark: { kind: 'text', placeholder: 'qr_code_list.batch.empties' },
  expires_at: { kind: 'time', placeholder: 'set_qr_code.target.never' },
};
const changes = Object.entries(controls).map(([key, control]) => ({ key, label: `qr_code_list.columns.${key}`, ...control }));

const initial: Values = { chosen: [], changes: { ...pick(initialFields, batchFields), fallback_url: '' } };

/** Only the chosen fields; an emptied address or time is taken off, an emptied remark is an empty one. */
function toInput({ chosen, changes: values }: Values, ids: readonly number[]): Values {
  const given = values as Values;
  const wire = (key: string) => (key === 'remark' ? (given[key] ?? '') : given[key] === '' ? null : given[key]);
  return { ids, changes: Object.fromEntries((chosen as string[]).map((key) => [key, wire(key)])) };
}

/** The same change to many codes: first which fields, then their new values. */
export function BatchUpdateDialog({ codes, onDone, onClose }: CodesDialogProps) {
  const { t } = useTranslation();
  const ask = useAskToDiscard();
  const words = useCodesWords(codes);
  const form = useContractForm(api.qr_code_list.batch_update, {
    initial,
    toInput: (values) =>
      toInput(
        values,
        codes.map((code) => code.id),
      ),
    success: false,
    onDone(output) {
      onDone(output);
      onClose();
    },
  });
  const chosen = (Form.useWatch('chosen', { form: form.form, preserve: true }) as string[] | undefined) ?? [];

  async function close() {
    if (!form.isRunning && (!form.isDirty || (await ask()))) onClose();
  }
  return (
    <Modal
      open
      className="lc-form-modal"
      // Not in the middle: it grows with the chosen fields, and what is ticked must stay under the finger.
      style={{ top: 'min(5vh, 40px)' }}
      title={t('qr_code_list.actions.batch')}
      onCancel={() => void close()}
      footer={
        <div className="lc-form-footer">
          <Button onClick={() => void close()}>{t('common.cancel')}</Button>
          <Button type="primary" disabled={chosen.length === 0} loading={form.isRunning} onClick={() => void form.submit()}>
            {t('qr_code_list.batch.submit', { count: codes.length, fields: chosen.length })}
          </Button>
        </div>
      }
    >
      <p className="lc-form-intro">{words}</p>
      <ContractForm form={form}>
        <Form.Item name="chosen" className="lc-field-wide" label={t('qr_code_list.batch.choose')}>
          <Checkbox.Group className="lc-code-choices" options={changes.map(({ key, label }) => ({ value: key, label: t(label) }))} />
        </Form.Item>
        {changes
          .filter(({ key }) => chosen.includes(key))
          .map(({ key, ...control }) => (
            <Field key={key} {...control} name={['changes', key]} path={`changes.${key}`} required={false} />
          ))}
      </ContractForm>
    </Modal>
  );
}
