import { maximumThreshold } from '../../../contract/live-code.ts';
import { Field } from '../../kit/FormModal.tsx';

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${String(hour).padStart(2, '0')}:00` }));

/** How often, how likely and how long a target serves. */
export function TargetLimits({ index, isRandom }: { index: number; isRandom: boolean }) {
  const at = (field: string) => ({ name: [index, field], path: `targets.${index}.${field}` });
  return (
    <div className="code-fields code-fields-narrow">
      <Field
        {...at('threshold')}
        label="set_qr_code.target.threshold"
        kind="number"
        minimum={0}
        maximum={maximumThreshold}
        placeholder="set_qr_code.target.endless"
      />
      {isRandom && <Field {...at('weight')} label="set_qr_code.target.weight" kind="number" minimum={1} maximum={10_000} />}
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
