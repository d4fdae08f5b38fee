import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Detector, DetectorConfig, DetectorKind } from '../../../contract/detection/detectors.ts';
import { detectorPresets } from '../../../contract/detection/presets.ts';
import { api } from '../../kit/calls/api.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { Field, Fields, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { DetectorTestBox } from './DetectorTest.tsx';
import { commonFields, configInput, fieldsOf, kindOptions, startOf } from './detector.fields.tsx';
import '../detection.css';

type Values = Record<string, unknown>;
const calls = api.we_chat_blocking_detection_configuration;

/** Kind, beginning and fields. Another kind begins anew: nothing of one means the same in another. */
function DetectorFields({ edited }: { edited: Detector | undefined }) {
  const { t } = useTranslation();
  const { form, onValuesChange } = useFormContext();
  const kind = (Form.useWatch(['config', 'kind'], form) as DetectorKind | undefined) ?? edited?.kind ?? 'http_api';

  function put(config: DetectorConfig) {
    form.setFieldValue('config', config);
    onValuesChange();
  }
  return (
    <div className="lc-detector-fields">
      <Field kind="text" name="name" label="common.field.name" />
      <Field name={['config', 'kind']} label="common.field.type" help={`we_chat_blocking_detection_configuration.kind.${kind}_help`}>
        <Select
          disabled={edited !== undefined}
          options={kindOptions.map(({ value, label }) => ({ value: value as string, label: t(label) }))}
          onChange={(next: string) => {
            // A key that was typed for a service would be sent unseen where the kind has none.
            form.setFieldValue('key', undefined);
            put(startOf(next as DetectorKind));
          }}
        />
      </Field>
      {kind === 'http_api' && <Presets onChosen={put} />}
      <Fields key={kind} fields={fieldsOf(kind, edited?.has_key ?? false)} />
      <Fields fields={commonFields} />
    </div>
  );
}

/** Common shapes of detection services to begin with. */
function Presets({ onChosen }: { onChosen: (config: DetectorConfig) => void }) {
  const { t } = useTranslation();
  const label = t('we_chat_blocking_detection_configuration.preset_title');
  return (
    <Form.Item label={label} extra={t('we_chat_blocking_detection_configuration.preset_help')} className="lc-field-wide">
      <Select
        aria-label={label}
        placeholder={t('common.choose')}
        value={null}
        options={detectorPresets.map(({ key }) => ({ value: key, label: t(`we_chat_blocking_detection_configuration.preset.${key}`) }))}
        onChange={(key: string | null) => {
          const preset = detectorPresets.find((one) => one.key === key);
          if (preset) onChosen(preset.config);
        }}
      />
    </Form.Item>
  );
}

const initialOf = (edited: Detector | undefined): Values => {
  if (!edited) return { config: startOf('http_api'), timeout_ms: 8000, weight: 1, enabled: true };
  const { name, config, timeout_ms, weight, sort, per_second, per_day, enabled } = edited;
  return { name, config: { ...startOf(config.kind), ...config }, timeout_ms, weight, sort, per_second, per_day, enabled };
};

/** A detector that is added or changed, with a place beside its fields to try it out before it is saved. */
export function DetectorForm({ edited, onClose }: { edited?: Detector; onClose: () => void }) {
  const shared = {
    submit: edited ? 'common.save' : 'we_chat_blocking_detection_configuration.add',
    initial: initialOf(edited),
    invalidates: ['domain_monitor', 'admin_domain_monitor', 'home'] as const,
    onClose,
    children: (
      <div className="lc-detector-form">
        <DetectorFields edited={edited} />
        <Allowed node="we_chat_blocking_detection_configuration.test">
          <DetectorTestBox id={edited?.id} />
        </Allowed>
      </div>
    ),
  };
  // An empty key is the one that is kept.
  const toInput = ({ key, ...values }: Values): Values => ({ ...values, config: configInput(values), ...(key ? { key } : {}) });
  if (!edited) return <FormModal {...shared} action={calls.add} title="we_chat_blocking_detection_configuration.add" toInput={toInput} />;
  return (
    <FormModal
      {...shared}
      action={calls.update}
      title="we_chat_blocking_detection_configuration.edit"
      toInput={(values) => ({ ...toInput(values), id: edited.id })}
    />
  );
}
