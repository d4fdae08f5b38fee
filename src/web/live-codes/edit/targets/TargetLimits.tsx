import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { maxThreshold } from '../../../../contract/codes/live-code.ts';
import { Field } from '../../../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../../../kit/form/ContractForm.tsx';
import { useFormat } from '../../../kit/texts/format.ts';
import { useLiveTargets } from '../live.ts';
import { randomShare } from '../rotation.ts';
import type { CodeValues } from '../values.ts';

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${String(hour).padStart(2, '0')}:00` }));

/** How often, how likely and how long a target serves. */
export function TargetLimits({ index, isRandom }: { index: number; isRandom: boolean }) {
  const at = (field: string) => ({ name: [index, field], path: `targets.${index}.${field}` });
  return (
    <div className="lc-code-fields lc-code-fields-narrow">
      <Field
        {...at('threshold')}
        label="set_qr_code.target.threshold"
        kind="number"
        minimum={0}
        maximum={maxThreshold}
        placeholder="common.unlimited"
      />
      {isRandom && <WeightField index={index} />}
      <Field
        {...at('refill_hour')}
        label="set_qr_code.target.refill_hour"
        kind="select"
        options={hours}
        clearable
        placeholder="set_qr_code.target.never"
      />
      <Field {...at('expires_at')} label="set_qr_code.target.expires_at" kind="time" placeholder="set_qr_code.target.never" />
    </div>
  );
}

/** The weight with the share of visits that it makes, among the targets that serve. */
function WeightField({ index }: { index: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { form } = useFormContext();
  const live = useLiveTargets();
  const values: CodeValues | undefined = Form.useWatch((all) => all as CodeValues, { form, preserve: true });
  const target = values?.targets?.[index];
  const share = values && target ? randomShare(target, { values, live, now: Date.now() }) : undefined;
  return (
    <Field
      name={[index, 'weight']}
      path={`targets.${index}.weight`}
      label="set_qr_code.target.weight"
      kind="number"
      minimum={1}
      maximum={10_000}
      suffix={share === undefined ? t('set_qr_code.target.no_share') : format.percent(share)}
    />
  );
}
