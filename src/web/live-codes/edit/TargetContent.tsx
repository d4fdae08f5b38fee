import { Form, Input, Segmented } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TargetKind } from '../../../contract/enums.ts';
import { Field } from '../../kit/FormModal.tsx';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import type { ControlProps } from '../../kit/form/controls.tsx';
import { PictureField } from '../../kit/form/PictureField.tsx';
import { targetKindChoices } from '../choices.ts';
import { completeUrl } from './url.ts';

type Kept = Pick<{ content: string; picture_url: string | null }, 'content' | 'picture_url'>;

/** The kind of a target and its content; what was filled in for another kind comes back with that kind. */
export function TargetContent({ index }: { index: number }) {
  const { t } = useTranslation();
  const { form, onValuesChange } = useFormContext();
  const kept = useRef<Partial<Record<TargetKind, Kept>>>({});
  const at = (field: string) => ['targets', index, field];
  const kind: TargetKind = Form.useWatch(at('kind'), { form, preserve: true }) ?? form.getFieldValue(at('kind')) ?? 'url';
  const pictureUrl: string | null = Form.useWatch(at('picture_url'), { form, preserve: true }) ?? null;
  const contentField = { name: [index, 'content'], path: `targets.${index}.content`, required: true } as const;

  function set(values: Record<string, unknown>) {
    for (const [field, value] of Object.entries(values)) form.setFieldValue(at(field), value);
    onValuesChange();
  }
  function choose(next: TargetKind) {
    if (next === kind) return;
    kept.current[kind] = { content: form.getFieldValue(at('content')) ?? '', picture_url: pictureUrl };
    const { content = '', picture_url = null } = kept.current[next] ?? {};
    set({ kind: next, content, picture_url });
  }

  return (
    <div className="code-target-main">
      <Segmented<TargetKind>
        value={kind}
        onChange={choose}
        aria-label={t('set_qr_code.target.kind')}
        options={targetKindChoices.map(({ value, label }) => ({ value, label: t(label) }))}
      />
      <Field
        name={[index, 'name']}
        path={`targets.${index}.name`}
        label="set_qr_code.target.name"
        kind="text"
        placeholder="set_qr_code.target.name_placeholder"
      />
      <div className="code-target-content">
        {kind === 'url' && (
          <Field
            {...contentField}
            label="set_qr_code.target.url"
            help="set_qr_code.target.url_help"
            kind="custom"
            render={(props) => <UrlInput {...(props as ControlProps<string>)} />}
          />
        )}
        {kind === 'picture' && (
          <Field
            {...contentField}
            label="set_qr_code.target.picture"
            kind="custom"
            render={({ id }) => (
              <PictureField
                id={id}
                pictureUrl={pictureUrl}
                label={t('set_qr_code.target.picture')}
                onUploaded={(file) => set({ content: String(file.id), picture_url: file.url })}
              />
            )}
          />
        )}
        {kind === 'text' && (
          <Field
            {...contentField}
            label="set_qr_code.target.text"
            kind="textarea"
            rows={3}
            placeholder="set_qr_code.target.text_placeholder"
          />
        )}
      </div>
    </div>
  );
}

/** An address; one typed without its scheme gets https when it is left. */
export function UrlInput({ onChange, onBlur, value, ...control }: ControlProps<string> & { placeholder?: string }) {
  return (
    <Input
      {...control}
      value={value}
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      placeholder="https://"
      onChange={(event) => onChange?.(event.target.value)}
      onBlur={() => {
        const completed = completeUrl(value ?? '');
        if (completed !== value) onChange?.(completed);
        onBlur?.();
      }}
    />
  );
}
