import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { type PlatformType, platformTypes } from '../../../contract/links/platform-config.ts';
import type { Platform } from '../../../contract/links/url-key-platform.ts';
import { api } from '../../kit/calls/api.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { Field, Fields, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { SavedPicture } from './PagePicture.tsx';
import { type ConfigValues, configInput, fieldsOf, typeLabel } from './platform.fields.tsx';
import { presets, startOf } from './presets.ts';
import { TestBox } from './TestBox.tsx';

type Values = Record<string, unknown>;

/** Type, beginning and fields of a platform. Another type begins anew: nothing of one means the same in another. */
function PlatformFields({ edited }: { edited: Platform | undefined }) {
  const { t } = useTranslation();
  const { form, onValuesChange } = useFormContext();
  const type = (Form.useWatch(['config', 'type'], form) as PlatformType | undefined) ?? edited?.config.type ?? 3;

  function put(config: object) {
    form.setFieldValue('config', config);
    onValuesChange();
  }
  const offered = presets.filter((preset) => preset.types.includes(type));
  return (
    <>
      <Field name={['config', 'type']} label="common.field.type">
        <Select
          options={platformTypes.map((value) => ({ value, label: `${value}. ${t(typeLabel(value))}` }))}
          listHeight={400}
          onChange={(value: PlatformType) => {
            // A key that was typed for another service would be sent unseen where the type has none.
            form.setFieldValue('key', undefined);
            put(startOf(value));
          }}
        />
      </Field>
      <p className="lc-soft lc-platform-type-help">{t(`${typeLabel(type)}_help`)}</p>
      {offered.length > 0 && (
        <Form.Item label={t('url_key_platform.preset')} extra={t('url_key_platform.preset_help')}>
          <Select
            aria-label={t('url_key_platform.preset')}
            placeholder={t('common.choose')}
            value={null}
            options={offered.map(({ key, name }) => ({ value: key, label: name }))}
            onChange={(key: string | null) => {
              const preset = offered.find((one) => one.key === key);
              if (!preset) return;
              if (!form.getFieldValue('name')) form.setFieldValue('name', preset.name);
              put({ ...startOf(type), ...preset.config, type });
            }}
          />
        </Form.Item>
      )}
      <Field kind="text" name="name" label="common.field.name" />
      <Fields key={type} fields={fieldsOf(type, edited)} />
      <Field kind="text" name="remark" label="common.field.remark" />
    </>
  );
}

const toInput = (values: Values): Values => ({ ...values, config: configInput(values) });

/** A platform that is added or changed, with a place to try it out before it is saved. */
export function PlatformForm({ edited, onClose }: { edited?: Platform; onClose: () => void }) {
  const picture = { id: edited?.config.type === 15 ? (edited.config.picture_id ?? null) : null, url: edited?.picture_url ?? null };
  const children = (
    <SavedPicture value={picture}>
      <PlatformFields edited={edited} />
      <Allowed node="url_key_platform.test">
        <TestBox id={edited?.id} />
      </Allowed>
    </SavedPicture>
  );
  if (!edited)
    return (
      <FormModal
        action={api.url_key_platform.add}
        title="url_key_platform.add"
        submit="url_key_platform.add"
        initial={{ config: startOf(4), name: '', remark: '' }}
        toInput={toInput}
        onClose={onClose}
      >
        {children}
      </FormModal>
    );
  return (
    <FormModal
      action={api.url_key_platform.update}
      title="url_key_platform.edit"
      submit="common.save"
      initial={{ config: { ...startOf(edited.config.type), ...edited.config } as ConfigValues, name: edited.name, remark: edited.remark }}
      // An empty key is the one that is kept.
      toInput={({ key, ...values }) => ({ ...toInput(values), ...(key ? { key } : {}), id: edited.id })}
      onClose={onClose}
    >
      {children}
    </FormModal>
  );
}
